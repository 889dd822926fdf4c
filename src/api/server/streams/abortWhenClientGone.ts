import type { Context } from 'koa';

export function abortWhenClientGone({ res }: Context): AbortSignal {
  const leaving = new AbortController();
  res.once('close', () => leaving.abort());
  return leaving.signal;
}
