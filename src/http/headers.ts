import type { Middleware } from 'koa';
import type { Ids } from '../lib/ids.ts';

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Policy of bytes that an agent made: they may be shown, never run. */
export const UNTRUSTED_CONTENT_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * On every reply, errors included. There are no CORS headers, ever: another origin gets no answer that it can read.
 * The referrer policy is `same-origin`, since `no-referrer` would make browsers send `Origin: null` with our own forms.
 */
export const headers =
  (version: string, ids: Ids): Middleware =>
  async (ctx, next) => {
    const asked = ctx.get('X-Request-Id');
    ctx.state.requestId = REQUEST_ID.test(asked) ? asked : ids.next();
    ctx.set({
      'X-Request-Id': ctx.state.requestId,
      'X-Svc-Version': version,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    });
    await next();
  };

/** Value of the header Deprecation (RFC 9745) of older names and addresses: when the newer ones were released. */
export const DEPRECATED_SINCE = '@1795219200';
