import type { Context } from 'koa';

/** Made once: an abort without a reason makes an error with its stack, for each reply. */
const LEFT = new Error('The reader has left.');

/** Aborted when the reader of a reply has left, or has all of it. */
export function watchReader({ res }: Context): AbortSignal {
  const leaving = new AbortController();
  res.once('close', () => leaving.abort(LEFT));
  return leaving.signal;
}
