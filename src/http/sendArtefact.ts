import { type FileHandle, open } from 'node:fs/promises';
import type { Context } from 'koa';
import { SvcError } from '../lib/errors.ts';
import type { Runner } from '../runner/facade.ts';
import { UNTRUSTED_CONTENT_POLICY } from './headers.ts';

/** The agent chose the media type, so it is only repeated where it has the form of one. */
const MEDIA_TYPE = /^[a-z0-9][\w.+-]{0,63}\/[a-z0-9][\w.+-]{0,63}(?:; ?charset=[\w-]{1,32})?$/i;

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw new SvcError('internal', 'The bytes of this artefact are gone from the disk; only its description is left.', { cause });
  }
}

/** Sends an artefact's bytes as a download that no browser runs or shows as a page of ours. */
export async function sendArtefact(ctx: Context, { path, mime, title, sha256 }: ReturnType<Runner['artefact']>): Promise<void> {
  const file = await opened(path);
  const stat = await file.stat();
  if (!stat.isFile()) {
    await file.close();
    throw new SvcError('internal', 'The bytes of this artefact are not a file.');
  }
  ctx.attachment(title);
  ctx.set({ 'Content-Security-Policy': UNTRUSTED_CONTENT_POLICY, 'Cache-Control': 'private, no-cache', ETag: `"${sha256}"` });
  ctx.set('Content-Type', MEDIA_TYPE.test(mime) ? mime : 'application/octet-stream');
  ctx.status = 200;
  if (ctx.fresh || ctx.method === 'HEAD') {
    await file.close();
    ctx.length = stat.size;
    if (ctx.fresh) ctx.status = 304;
    return;
  }
  ctx.body = file.createReadStream();
  ctx.length = stat.size;
}
