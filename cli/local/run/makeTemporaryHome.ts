import { findErrorCode } from '../../../src/base/errors/findErrorCode.ts';
import { rmSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '../../../src/base/errors/errors.ts';

/** How the folder of such a home begins. */
export const HOME_PREFIX = 'svc-run-';

export interface TemporaryHome {
  dir: string;
  /** Removes it with all that is in it. A second call does nothing. Never throws. */
  remove(): void;
}

/**
 * Makes a home in the folder for temporary files (TMPDIR). It is also removed where the process ends
 * by itself. Throws SvcError `bad-argument` where none can be made.
 */
export async function makeTemporaryHome(folder = tmpdir()): Promise<TemporaryHome> {
  let dir: string;
  try {
    dir = await mkdtemp(join(await realpath(folder), HOME_PREFIX));
  } catch (cause) {
    const code = findErrorCode(cause) ?? 'unknown reason';
    throw new SvcError(
      'bad-argument',
      `svc run cannot create its temporary home in ${folder} (${code}). Set TMPDIR to a writable folder.`,
      { cause },
    );
  }
  const remove = () => {
    process.off('exit', remove);
    try {
      rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`Warning: ${dir} could not be removed: ${reason}\n`);
    }
  };
  process.on('exit', remove);
  return { dir, remove };
}
