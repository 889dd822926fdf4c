/**
 * Where the kernel's commits are written: `inline` = in the main thread, `thread` = on one of their own,
 * `auto` = large groups on the thread, single events where it is faster on this disk.
 */
export const COMMIT_PLACES = ['auto', 'inline', 'thread'] as const;
export type CommitPlace = (typeof COMMIT_PLACES)[number];
