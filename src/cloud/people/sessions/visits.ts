import type { Context } from 'koa';
import type { Ids } from '../../../base/system/ids/ids.ts';
import { deriveFormToken } from './formTokens.ts';
import { readCookie } from './readCookie.ts';

const VISIT_COOKIE = 'svc_visit';
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token of forms for a browser that is not logged in. Without it another site could log a
 * person into an account that is not theirs.
 */
export function openVisit(ctx: Context, ids: Ids, publicUrl: string): string {
  const knownVisit = findVisit(ctx);
  if (knownVisit !== null) return knownVisit;
  const secret = ids.secret();
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  ctx.append(
    'Set-Cookie',
    `${VISIT_COOKIE}=${secret}; Path=/auth; HttpOnly; SameSite=Lax${secure}`,
  );
  return deriveFormToken(secret);
}

/** null = the browser has opened no form yet. */
export function findVisit(ctx: Context): string | null {
  const secret = readCookie(ctx.req, VISIT_COOKIE);
  return secret !== null && SECRET.test(secret) ? deriveFormToken(secret) : null;
}
