import { constants, existsSync, statSync } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { SvcError } from '../../base/errors/errors.ts';

/** Files beside a state; the manifest would name the later one. */
const BESIDE = ['-manifest', '-wal', '-shm', '-journal'];

async function copyWhole(from: string, to: string): Promise<void> {
  const draft = `${to}.draft`;
  // Where the file system can, both share their blocks: a large state is copied at once.
  await copyFile(from, draft, constants.COPYFILE_FICLONE);
  const file = await open(draft, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, to);
}

/**
 * Copies the state that a runner has left after a clean stop, whole or not at all. Throws SvcError
 * `store-failed` where it was not clean: a copy would lack what is in the write-ahead log.
 */
export async function copyState(stateDb: string, copy: string): Promise<void> {
  const log = statSync(`${stateDb}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0)
    throw new SvcError('store-failed', `${stateDb} was not closed cleanly.`);
  await copyWhole(stateDb, copy);
}

/**
 * Puts the copy back in place of the state. Every step may be the last one: begun again, it ends
 * the same. Without a copy nothing is changed.
 */
export async function putBack(stateDb: string, copy: string): Promise<void> {
  if (!existsSync(copy)) return;
  for (const end of BESIDE) await rm(`${stateDb}${end}`, { force: true });
  await copyWhole(copy, stateDb);
}
