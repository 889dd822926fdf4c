import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage, SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import { writePrivateFile } from '../../../base/system/files/writePrivateFile.ts';
import { findPlainFile } from './findPlainFile.ts';
import { explainBadLayerPath } from '../../../workflows/overlay/layer.ts';

/**
 * Files that may be written: texts that agents read. Everything else in a layer could be executed.
 */
const WRITABLE = /^(?:(?:workflows|agents|memory)\/.+|\.claude\/(?:.+\/)?[^/]+)\.md$/;

export const isWritable = (path: string): boolean => WRITABLE.test(path);

export const toTextEtag = (bytes: Uint8Array | string): string => `"${sha256(bytes)}"`;

/**
 * Throws SvcError `bad-argument` for a path that leaves its layer, or of a file that is not written
 * here.
 */
export function checkWritablePath(path: string): void {
  const problem = explainBadLayerPath(path);
  if (problem !== null)
    throw new SvcError('bad-argument', `The path ${JSON.stringify(path)} ${problem}.`);
  if (isWritable(path)) return;
  throw new SvcError(
    'bad-argument',
    `${path} cannot be edited here: only Markdown files below workflows/, agents/, memory/ and .claude/ can. Edit it in the folder itself.`,
  );
}

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

/**
 * Throws if the version to replace is not the current one; a new file has none. The refusal's
 * `etag` is the current version; null = no such file.
 */
function checkVersion(path: string, there: string | null, ifMatch: string | null): void {
  if (ifMatch === null && there !== null)
    throw new SvcError(
      'precondition-required',
      `${path} already exists: send If-Match with the ETag of GET /intelligence/file?path=${path}. Only a new file needs none.`,
      { data: { etag: there } },
    );
  if (ifMatch !== null && ifMatch !== there)
    throw new SvcError(
      'precondition-failed',
      `${path} has changed since you read it. Read it again and reapply your change.`,
      { data: { etag: there } },
    );
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
  checkVersion(path, etag, ifMatch);
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
  checkVersion(path, etag, ifMatch);
  await rm(full);
}
