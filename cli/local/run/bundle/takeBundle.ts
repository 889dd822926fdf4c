import { findErrorCode } from '../../../../src/base/errors/findErrorCode.ts';
import { isProcessAlive } from '../../../../src/base/system/process/isProcessAlive.ts';
import { mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { toErrorMessage, SvcError } from '../../../../src/base/errors/errors.ts';
import { makeFolder } from '../../../../src/base/system/files/makeFolder.ts';
import { MANIFEST } from './manifest.ts';
import { SEAL } from './sealBundle.ts';

const refuseKeepPlace = (message: string): never => {
  throw new SvcError('bad-argument', message);
};

/**
 * Throws SvcError `bad-argument` for a folder that cannot hold a bundle; it may hold an old one.
 */
export async function checkKeepPlace(dir: string): Promise<void> {
  const stats = await stat(dir).catch(() => null);
  if (stats !== null && !stats.isDirectory()) refuseKeepPlace(`--keep: ${dir} is not a folder.`);
  const names = stats === null ? [] : await readdir(dir);
  if (names.length > 0 && !names.includes(MANIFEST) && !names.includes(SEAL))
    refuseKeepPlace(`--keep: ${dir} holds other files. Name a new folder, or an empty one.`);
  // The bundle is written beside it first, and then renamed.
  const parent = dirname(dir);
  try {
    await makeFolder(parent, 0o700);
    await rm(await mkdtemp(join(parent, `.${basename(dir)}-`)), { recursive: true });
  } catch (error) {
    refuseKeepPlace(
      `--keep: nothing can be written in ${parent} (${toErrorMessage(error)}). Name a folder elsewhere.`,
    );
  }
}

/**
 * Takes a bundle for this process; the returned function gives it back. A folder that cannot be
 * written is not taken. Throws SvcError `locked` where another run continues it now.
 */
export async function takeBundle(dir: string): Promise<() => Promise<void>> {
  const file = `${dir}.lock`;
  for (const isLast of [false, true]) {
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.writeFile(`${process.pid}\n`);
      await handle.close();
      return () => rm(file, { force: true });
    } catch (error) {
      if (findErrorCode(error) !== 'EEXIST') return async () => {};
      const pid = Number(await readFile(file, 'utf8').catch(() => ''));
      if (isLast || (pid > 0 && isProcessAlive(pid)))
        throw new SvcError(
          'locked',
          `Another svc run (process ${pid}) continues the bundle ${dir} now. Wait for it; if none is left, remove ${file}.`,
        );
      await rm(file, { force: true });
    }
  }
  return async () => {};
}
