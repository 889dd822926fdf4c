import type { Context } from 'koa';

export function abortWhenClientGone({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}
