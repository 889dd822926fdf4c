import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import { findErrorCode } from '../../../base/errors/findErrorCode.ts';
import { MAX_COPIED_FILE_BYTES } from '../../../base/settings/checkouts.ts';

export interface PersonFile {
  /** Relative to the person's folder, and to the checkout. */
  path: string;
  bytes: Buffer;
}

const refuse = (path: string, why: string): SvcError =>
  new SvcError('invalid', `${path} of checkout.repositories[].copyFiles cannot be copied: ${why}`);

/**
 * Reads the files that a person lets agents have. No link is followed: the folder may be a clone, whose
 * links its authors choose. Throws SvcError `invalid` for a file that is missing, too large or none.
 */
export async function readPersonFiles(
  from: string,
  paths: readonly string[],
): Promise<PersonFile[]> {
  const root = await realpath(from).catch(() => null);
  const files: PersonFile[] = [];
  for (const path of paths) {
    if (root === null) throw refuse(path, `the folder ${from} does not exist. Correct copyFrom.`);
    files.push({ path, bytes: await readOne(root, path) });
  }
  return files;
}

async function readOne(root: string, path: string): Promise<Buffer> {
  const place = join(root, path);
  const stats = await lstat(place).catch((error: unknown) => {
    if (!['ENOENT', 'ENOTDIR'].includes(findErrorCode(error) ?? '')) throw error;
    return null;
  });
  if (stats === null)
    throw refuse(path, `${place} does not exist. Create it, or remove it from the list.`);
  if (stats.isSymbolicLink() || (await realpath(place)) !== place)
    throw refuse(path, `${place} is reached by a link. Name the file itself by copyFrom.`);
  if (!stats.isFile()) throw refuse(path, `${place} is not a file. List the files in it.`);
  const file = await open(
    place,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch((error: unknown) => {
    throw refuse(path, `${place} cannot be read (${findErrorCode(error)}). You must own it.`);
  });
  try {
    const { size } = await file.stat();
    if (size > MAX_COPIED_FILE_BYTES)
      throw refuse(
        path,
        `${place} has ${size} bytes, and at most ${MAX_COPIED_FILE_BYTES} are copied. Fetch it in the setup.`,
      );
    return await file.readFile();
  } finally {
    await file.close();
  }
}
