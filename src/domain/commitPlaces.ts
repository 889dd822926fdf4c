/**
 * Where a commit waits for the disk: `inline` = in the main thread, `thread` = on another one,
 * `auto` = by what commits take on this disk.
 */
export const COMMIT_PLACES = ['auto', 'inline', 'thread'] as const;
export type CommitPlace = (typeof COMMIT_PLACES)[number];
