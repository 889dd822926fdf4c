import { createHmac } from 'node:crypto';
import type { Context } from 'koa';
import { parseJsonOrNull } from '../../../base/json/parseJsonOrNull.ts';
import { isSameToken } from '../sessions/formTokens.ts';
import { readHostCookie, removeHostCookie, setHostCookie } from '../sessions/hostCookies.ts';
import type { LoginProof } from './issuerClient.ts';

/** How long a login at the issuer may take, ms. */
export const ATTEMPT_MS = 10 * 60_000;
/** Longest address that a login leads back to, characters: it is kept in a cookie. */
const MOST_NEXT = 1024;
const STATE = /^[\w-]{43}$/;
/** Characters of the state in the name of its cookie: logins in two tabs do not disturb each other. */
const NAME_CHARS = 12;

/** A login that has begun, as the cookie of its browser has it. */
export interface SignOnAttempt {
  secret: string;
  next: string;
  /** Which issuer was asked. */
  issuer: string;
  /** Epoch ms. */
  until: number;
}

const derive = (secret: string, what: string): string =>
  createHmac('sha256', secret).update(`svc sign-on ${what}`).digest('base64url');

/** All of it comes from the secret in the cookie: a state without the cookie is worth nothing. */
export const deriveProof = (secret: string): LoginProof => ({
  state: derive(secret, 'state'),
  nonce: derive(secret, 'nonce'),
  verifier: derive(secret, 'verifier'),
});

const toCookieName = (state: string): string => `svc_sign_on_${state.slice(0, NAME_CHARS)}`;

/** `fallback`: where the login leads to if `next` is too long. */
export function openAttempt(
  ctx: Context,
  { secret, next, issuer, until }: SignOnAttempt,
  { publicUrl, fallback }: { publicUrl: string; fallback: string },
): LoginProof {
  const proof = deriveProof(secret);
  const attempt = { secret, next: next.length > MOST_NEXT ? fallback : next, issuer, until };
  setHostCookie(ctx, publicUrl, {
    name: toCookieName(proof.state),
    value: Buffer.from(JSON.stringify(attempt)).toString('base64url'),
    maxAge: ATTEMPT_MS / 1000,
  });
  return proof;
}

/** The attempt that this browser has begun with the state of the address, and ends its cookie; null = none. */
export function takeAttempt(ctx: Context, publicUrl: string, now: number): SignOnAttempt | null {
  const { state } = ctx.query;
  if (typeof state !== 'string' || !STATE.test(state)) return null;
  const name = toCookieName(state);
  const text = readHostCookie(ctx, publicUrl, name);
  if (text === null) return null;
  removeHostCookie(ctx, publicUrl, name);
  const attempt = parseJsonOrNull(Buffer.from(text, 'base64url').toString('utf8'));
  // Nothing proves the time in a cookie, and its use is noted until then: no longer than clocks of nodes may differ.
  if (!isAttempt(attempt) || attempt.until <= now || attempt.until > now + 2 * ATTEMPT_MS)
    return null;
  return isSameToken(deriveProof(attempt.secret).state, state) ? attempt : null;
}

function isAttempt(value: unknown): value is SignOnAttempt {
  if (typeof value !== 'object' || value === null) return false;
  const { secret, next, issuer, until } = value as Partial<Record<keyof SignOnAttempt, unknown>>;
  return (
    typeof secret === 'string' &&
    typeof next === 'string' &&
    typeof issuer === 'string' &&
    typeof until === 'number'
  );
}
