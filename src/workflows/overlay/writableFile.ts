import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import { explainBadLayerPath } from './layer.ts';

/**
 * Files that may be written: texts that agents read. Everything else in a layer could be executed.
 */
const WRITABLE = /^(?:(?:workflows|agents|memory)\/.+|\.claude\/(?:.+\/)?[^/]+)\.md$/;

export const isWritable = (path: string): boolean => WRITABLE.test(path);

export const toTextEtag = (bytes: Uint8Array | string): string => `"${sha256(bytes)}"`;

/** Throws SvcError `bad-argument` for a path that leaves its layer. */
export function checkLayerPath(path: string): void {
  const problem = explainBadLayerPath(path);
  if (problem !== null)
    throw new SvcError('bad-argument', `The path ${JSON.stringify(path)} ${problem}.`);
}

/**
 * Throws SvcError `bad-argument` for a path that leaves its layer, or of a file that is not written
 * here.
 */
export function checkWritablePath(path: string): void {
  checkLayerPath(path);
  if (isWritable(path)) return;
  throw new SvcError(
    'bad-argument',
    `${path} cannot be edited here: only Markdown files below workflows/, agents/, memory/ and .claude/ can. Other files can be run, and svc writes none of those.`,
  );
}

/**
 * Throws SvcError `precondition-required` or `precondition-failed` if the version to replace is not
 * the current one; a new file has none. The refusal's `etag` is the current version; null = no such
 * file.
 */
export function checkFileVersion(
  path: string,
  currentEtag: string | null,
  ifMatch: string | null,
): void {
  if (ifMatch === null && currentEtag !== null)
    throw new SvcError(
      'precondition-required',
      `${path} already exists: send If-Match with the ETag of GET /intelligence/file?path=${path}. Only a new file needs none.`,
      { data: { etag: currentEtag } },
    );
  if (ifMatch !== null && ifMatch !== currentEtag)
    throw new SvcError(
      'precondition-failed',
      `${path} has changed since you read it. Read it again and reapply your change.`,
      { data: { etag: currentEtag } },
    );
}
