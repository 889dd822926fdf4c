import { open, rm } from 'node:fs/promises';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { findErrorCode } from '../../../src/base/errors/findErrorCode.ts';

/**
 * Writes a file that only the user can read, piece by piece, synced at the end. Where `work` fails, no file is left.
 * Throws SvcError `bad-argument` where the file exists or cannot be made.
 */
export async function writeNewFile<T>(
  path: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    const reason =
      findErrorCode(cause) === 'EEXIST' ? 'it exists already' : (findErrorCode(cause) ?? 'unknown');
    throw new SvcError('bad-argument', `${path} cannot be written: ${reason}. Name another file.`, {
      cause,
    });
  });
  try {
    const result = await work(async (text) => {
      await file.writeFile(text);
    });
    await file.sync();
    await file.close();
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}
