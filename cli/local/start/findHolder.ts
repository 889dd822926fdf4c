import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStartNote } from '../../../src/host/config/home/startNote.ts';
import { isLocked } from '../../../src/kernel/sqlite/inspectStore.ts';
import { toLockFilePath } from '../../../src/kernel/sqlite/openKernelStore.ts';
import { findFileHolders } from '../../../src/base/system/process/findFileHolders.ts';
import { isProcessAlive } from '../../../src/base/system/process/isProcessAlive.ts';

/** The process that named itself beside the state; null = none did. */
function readName(stateDb: string): number | null {
  try {
    const { pid } = Object(JSON.parse(readFileSync(toLockFilePath(stateDb), 'utf8')));
    return typeof pid === 'number' ? pid : null;
  } catch {
    return null;
  }
}

/**
 * The runner that has the state of a home or is about to take it, even if it does not answer yet;
 * null = none exists, or another program has it. A name left by a crash is ignored: the state
 * must be in use and, if the system tells by whom, by that process.
 */
export async function findHolder(home: string, now: number): Promise<number | null> {
  const stateDb = join(home, 'state.db');
  const starting = await readStartNote(home, now);
  if (starting !== null && isProcessAlive(starting)) return starting;
  const pid = readName(stateDb);
  if (pid === null || !isProcessAlive(pid)) return null;
  const holders = findFileHolders(stateDb);
  const isHeld =
    holders.length === 0 ? isLocked(stateDb) : holders.some((holder) => holder.pid === pid);
  return isHeld ? pid : null;
}
