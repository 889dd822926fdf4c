import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** Smaller logs are not worth it: a short run leaves no more than it wrote. 1 MiB. */
const FROM_BYTES = 1 << 20;
/** Zeros written at once. */
const SLICE = Buffer.alloc(1 << 20);

/**
 * Extends the write-ahead log's file to twice its used part, at most `limit` bytes, with zeros that
 * SQLite takes for the end. A commit that extends the file also waits for the file system's
 * journal, half as long again. Call it while SQLite is idle, since it writes that file too. Does
 * nothing without free space.
 */
export function makeLogSpace(database: string, used: number, limit: number): void {
  if (used < FROM_BYTES) return;
  const descriptor = openSync(`${database}-wal`, 'r+');
  const { size } = fstatSync(descriptor);
  const wanted = Math.min(used * 2, limit);
  try {
    for (let at = size; at < wanted; at += SLICE.length)
      writeSync(descriptor, SLICE, 0, Math.min(SLICE.length, wanted - at), at);
  } catch {
    ftruncateSync(descriptor, size);
  }
  // Now, on another thread, and not as part of the next commit.
  if (size < wanted) fdatasync(descriptor, () => closeSync(descriptor));
  else closeSync(descriptor);
}
