import { open, rm, stat } from 'node:fs/promises';
import { findErrorCode } from '../../src/base/errors/findErrorCode.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Io } from '../io.ts';
import { toCloudLoginPath } from './cloudLoginFile.ts';

/** Between two looks for a lock that another command holds, ms. */
const STEP_MS = 50;
/** Longest wait for it, ms: an exchange of a token takes less. */
const WAIT_MS = 40_000;
/** When a lock counts as left behind by a command that was killed, ms. */
const STALE_MS = 60_000;

/**
 * Runs `work` while no other command of this home does the same: a refresh token that two commands
 * exchange at once would end the login.
 */
export async function lockCloudLogin<T>(
  io: Pick<Io, 'after' | 'now'>,
  home: string,
  work: () => Promise<T>,
): Promise<T> {
  const file = `${toCloudLoginPath(home)}.lock`;
  for (let waitedMs = 0; !(await takeLock(file)); waitedMs += STEP_MS) {
    if (waitedMs >= WAIT_MS)
      throw new SvcError(
        'conflict',
        `Another svc command is renewing the login. If none is running, remove ${file}.`,
      );
    await removeStaleLock(io, file);
    await new Promise<void>((resolve) => {
      io.after(STEP_MS, resolve);
    });
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function takeLock(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (findErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function removeStaleLock(io: Pick<Io, 'now'>, file: string): Promise<void> {
  const stats = await stat(file).catch(() => null);
  if (stats !== null && io.now() - stats.mtimeMs > STALE_MS) await rm(file, { force: true });
}
