import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Context } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Runner } from '../../../contract/runner/runner.ts';
import { UNTRUSTED_CONTENT_POLICY } from './headers.ts';

/** The agent chose the media type, so it is only repeated where it has the form of one. */
const MEDIA_TYPE = /^[a-z0-9][\w.+-]{0,63}\/[a-z0-9][\w.+-]{0,63}(?:; ?charset=[\w-]{1,32})?$/i;

/**
 * The stored bytes. Links are not followed, and bytes with another sha256 are not sent: agents run
 * as the same user, and could replace an artefact by a link to any file.
 */
async function readStoredBytes(path: string, size: number, hash: string): Promise<Buffer> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    throw new SvcError(
      'internal',
      'The file of this artefact no longer exists; only its description is left.',
      { cause },
    );
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new SvcError('internal', 'This artefact is not a regular file.');
    const bytes = stat.size === size ? await file.readFile() : null;
    if (bytes === null || sha256(bytes) !== hash)
      throw new SvcError(
        'internal',
        'The file of this artefact was changed on disk; only its description is left.',
      );
    return bytes;
  } finally {
    await file.close();
  }
}

/** Sends an artefact's bytes as a download that no browser runs or shows as a page of ours. */
export async function sendArtefact(
  ctx: Context,
  artefact: Awaited<ReturnType<Runner['artefact']>>,
): Promise<void> {
  const { path, mime, size, title, sha256: hash } = artefact;
  const bytes = await readStoredBytes(path, size, hash);
  ctx.attachment(title);
  ctx.set({
    'Content-Security-Policy': UNTRUSTED_CONTENT_POLICY,
    'Cache-Control': 'private, no-cache',
    ETag: `"${hash}"`,
  });
  ctx.set('Content-Type', MEDIA_TYPE.test(mime) ? mime : 'application/octet-stream');
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = bytes;
}
