/** Most characters of a text that a log is searched for. */
export const MAX_LOG_SEARCH_CHARS = 200;
