export const MAX_LOG_SEARCH_CHARS = 200;
