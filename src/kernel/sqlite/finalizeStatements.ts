import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { findFileHolders } from '../../base/system/process/findFileHolders.ts';

/** Fewest and most collections; one suffices unless the stack still refers to a statement. */
const FEWEST = 2;
const MOST = 10;

/**
 * Frees a file with closed connections. SQLite keeps a closed connection, and its lock, while it
 * has statements, and the driver ends statements only by garbage collection. Linux shows whether
 * the file is free; elsewhere two collections must do. `pid`: this process's.
 */
export async function finalizeStatements(file: string, pid: number): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') return;
  for (let round = 1; round <= MOST; round++) {
    collect();
    await nextTurn();
    const isOpen = findFileHolders(file).some((holder) => holder.pid === pid);
    if (round >= FEWEST && !isOpen) return;
  }
}
