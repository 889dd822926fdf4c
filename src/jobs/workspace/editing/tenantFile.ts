import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage, SvcError } from '../../../base/errors/errors.ts';
import { writePrivateFile } from '../../../base/system/files/writePrivateFile.ts';
import { findPlainFile } from './findPlainFile.ts';
import {
  checkFileVersion,
  checkWritablePath,
  toTextEtag,
} from '../../../workflows/overlay/writableFile.ts';

/** Where the file is or would be; throws `forbidden` for a link or anything but a plain file. */
async function locateTenantFile(
  root: string,
  path: string,
): Promise<{ full: string; exists: boolean }> {
  const file = await findPlainFile(
    root,
    path,
    (error, full) =>
      new SvcError('store-failed', `${full} cannot be read: ${toErrorMessage(error)}.`, {
        cause: error,
      }),
  );
  return { full: file ?? join(root, path), exists: file !== null };
}

/** null = it does not exist. */
async function readTenantFile(
  root: string,
  path: string,
): Promise<{ full: string; etag: string | null }> {
  const { full, exists } = await locateTenantFile(root, path);
  return { full, etag: exists ? toTextEtag(await readFile(full)) : null };
}

/** null = it does not exist. Throws the same as writing. */
export async function readTenantText(root: string, path: string): Promise<string | null> {
  const { full, exists } = await locateTenantFile(root, path);
  return exists ? readFile(full, 'utf8') : null;
}

/** Replaces a file of the tenant's folder, completely or not at all. Returns its new version. */
export async function writeTenantFile(
  root: string,
  path: string,
  text: string,
  { ifMatch, draftName }: { ifMatch: string | null; draftName: string },
): Promise<string> {
  checkWritablePath(path);
  const { full, etag } = await readTenantFile(root, path);
  checkFileVersion(path, etag, ifMatch);
  try {
    await mkdir(join(full, '..'), { recursive: true });
    await writePrivateFile(full, text, draftName);
  } catch (error) {
    throw new SvcError('store-failed', `${path} could not be written: ${toErrorMessage(error)}.`, {
      cause: error,
    });
  }
  return toTextEtag(text);
}

/** Throws `not-found` if it does not exist. */
export async function removeTenantFile(
  root: string,
  path: string,
  ifMatch: string | null,
): Promise<void> {
  checkWritablePath(path);
  const { full, etag } = await readTenantFile(root, path);
  if (etag === null) throw new SvcError('not-found', `The tenant layer has no ${path}.`);
  checkFileVersion(path, etag, ifMatch);
  await rm(full);
}
