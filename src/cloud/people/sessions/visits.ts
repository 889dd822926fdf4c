import type { Context } from 'koa';
import type { Ids } from '../../../base/system/ids/ids.ts';
import { deriveFormToken } from './formTokens.ts';
import { readHostCookie, setHostCookie } from './hostCookies.ts';

const VISIT_COOKIE = 'svc_visit';
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token of forms for a browser that is not logged in. Without it another site could log a
 * person into an account that is not theirs.
 */
export function openVisit(ctx: Context, ids: Ids, publicUrl: string): string {
  const knownVisit = findVisit(ctx, publicUrl);
  if (knownVisit !== null) return knownVisit;
  const secret = ids.secret();
  setHostCookie(ctx, publicUrl, { name: VISIT_COOKIE, value: secret, maxAge: null });
  return deriveFormToken(secret);
}

/** null = the browser has opened no form yet. */
export function findVisit(ctx: Context, publicUrl: string): string | null {
  const secret = readHostCookie(ctx, publicUrl, VISIT_COOKIE);
  return secret !== null && SECRET.test(secret) ? deriveFormToken(secret) : null;
}
