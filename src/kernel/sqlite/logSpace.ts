import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** Below this size a log is not worth it: a short run leaves no more than it wrote. 1 MiB. */
const FROM_BYTES = 1 << 20;
/** Zeros written at once. */
const SLICE = Buffer.alloc(1 << 20);

/**
 * Makes the file of the write-ahead log twice as long as what is used of it, at most `limit` bytes,
 * with zeros that SQLite takes for the end of the log. A commit that makes the file longer also waits
 * for the log of the file system, which takes about half as long again. To be called while SQLite does
 * nothing: it writes into that file too. Where there is no space, the file stays as it is.
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
  // Now, on another thread, and not as a part of the next commit.
  if (size < wanted) fdatasync(descriptor, () => closeSync(descriptor));
  else closeSync(descriptor);
}
