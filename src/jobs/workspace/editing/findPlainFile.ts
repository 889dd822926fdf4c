import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';

/**
 * The file at a path below a folder, found without following a link; null = no such file. Throws SvcError `forbidden` for
 * links and anything but a plain file: nothing is ever written through a link. `toReadError` makes the error for a
 * part of the path that cannot be read.
 */
export async function findPlainFile(
  root: string,
  path: string,
  toReadError: (error: NodeJS.ErrnoException, full: string) => Error = (error) => error,
): Promise<string | null> {
  const parts = path.split('/');
  let full = root;
  for (const [index, part] of parts.entries()) {
    full = join(full, part);
    const entry = await lstat(full).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw toReadError(error, full);
    });
    if (entry === null) return null;
    const fits = index === parts.length - 1 ? entry.isFile() : entry.isDirectory();
    if (!fits)
      throw new SvcError(
        'forbidden',
        `${full} is a link or of an unexpected type. Nothing was written.`,
      );
  }
  return full;
}
