/**
 * Largest Markdown file or script that svc parses, bytes: workflows, agents, campaigns, scripts of a
 * simulation; the same for every reader.
 */
export const MAX_PARSED_BYTES = 256 * 1024;

/** Sizes as people read them. */
export const MAX_PARSED_SIZE = `${MAX_PARSED_BYTES / 1024} KiB`;
