/** Largest Markdown file or script that svc parses, bytes; the same for every reader. */

/** Default for how long a tool server may take to start and to list its tools, ms. */
export const DEFAULT_START_MS = 30_000;
export const SHORTEST_START_MS = 1_000;
export const LONGEST_START_MS = 600_000;

/** Largest Markdown file or script that svc parses, bytes; the same for every reader. */

export const MAX_REVIEW_COMMENTS = 100;
/** Most characters of one comment of a review, and of the text of a review as a whole. */
export const MAX_COMMENT_CHARS = 65_536;

/** Largest Markdown file or script that svc parses, bytes; the same for every reader. */

export const MAX_LOG_SEARCH_CHARS = 200;

/** Largest Markdown file or script that svc parses, bytes; the same for every reader. */
export const MAX_PARSED_BYTES = 256 * 1024;

export const MAX_PARSED_SIZE = `${MAX_PARSED_BYTES / 1024} KiB`;
