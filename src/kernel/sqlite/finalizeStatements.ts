import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { findFileHolders } from '../../shared/system/process/findFileHolders.ts';

/** Fewest and most collections; one is enough unless something on the stack still refers to a statement. */
const FEWEST = 2;
const MOST = 10;

/**
 * Lets go of a file whose connections are closed. SQLite keeps a closed connection, and with it the lock on the
 * file, while it has statements; the driver ends a statement only when it is garbage-collected, and has
 * no call for that. Whether the file is free is seen on Linux; elsewhere two collections have to do.
 * `pid`: this process's own.
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
