import type { Context } from 'koa';

/** Aborted when the reader of a reply has left, or has all of it. */
export function watchReader({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}
