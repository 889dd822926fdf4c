import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database.ts';

/** Pages that are given back in one step: 2 MiB, a few milliseconds. */
const PAGES_AT_ONCE = 256;

/**
 * Gives the free pages of the file back to the disk. Others have their turn between its steps.
 * Answers how many bytes the file is smaller by then.
 */
export async function giveBack(db: Database): Promise<number> {
  const before = db.freeBytes();
  for (let free = before, last = -1; free > 0 && free !== last; ) {
    last = free;
    free = db.giveBack(PAGES_AT_ONCE);
    await nextTurn();
  }
  db.checkpoint();
  return before - db.freeBytes();
}
