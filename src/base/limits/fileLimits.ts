/** Largest Markdown file or script that svc parses, bytes; the same for every reader. */
export const MAX_PARSED_BYTES = 256 * 1024;

export const MAX_PARSED_SIZE = `${MAX_PARSED_BYTES / 1024} KiB`;
