import type { Context } from 'koa';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Credentials } from '../cloudCall.ts';

/** What the login of a request is recognized by, made once for all gates: no secret is kept. null = it shows none. */
export function readLoginHash(
  ctx: Context,
  { readSecret }: Pick<Credentials, 'readSecret'>,
): string | null {
  if (ctx.state.loginHash === undefined) {
    const secret = readSecret(ctx);
    ctx.state.loginHash = secret === '' ? null : sha256(secret);
  }
  return ctx.state.loginHash;
}
