import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database.ts';

/** Pages given back per step: 2 MiB, a few milliseconds. */
const PAGES_AT_ONCE = 256;

/** Gives free pages back to the disk in steps between which others run. Returns the bytes saved. */
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
