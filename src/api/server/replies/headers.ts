import type { Context, Middleware } from 'koa';
import type { Ids } from '../../../base/system/ids/ids.ts';
import { OWN_CLIENT } from '../../../base/http/ownHeaders.ts';

/**
 * Of the dashboard: its own files, and requests to its own runner, nothing else. What is not named
 * (frames, media, plugins, data: and blob: addresses, anything inline) is refused. Its
 * editor lives in a shadow tree, where it adopts style sheets that scripts made: in the page itself
 * it would need inline styles.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  // With it, a browser offers to install the dashboard as an app.
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Policy of bytes that an agent made: they may be shown, never run. */
export const UNTRUSTED_CONTENT_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * On every reply, errors included. There are no CORS headers, ever: another origin gets no answer
 * that it can read. The referrer policy is `same-origin`, since `no-referrer` would make browsers
 * send `Origin: null` with our own forms.
 */
export const setReplyHeaders = (version: string, ids: Ids): Middleware => {
  const fixedHeaders = Object.entries({
    'X-Svc-Version': version,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  });
  return (ctx, next) => {
    const requestedId = ctx.get('X-Request-Id');
    ctx.state.requestId = REQUEST_ID.test(requestedId) ? requestedId : ids.next();
    ctx.res.setHeader('X-Request-Id', ctx.state.requestId);
    for (const [name, value] of fixedHeaders) ctx.res.setHeader(name, value);
    return next();
  };
};

/**
 * Whether the request claims to come from svc's own command line. Only used for counts.
 */
export const isOwnClient = (ctx: Pick<Context, 'get'>): boolean =>
  ctx.get('User-Agent').startsWith(OWN_CLIENT);

/**
 * Value of the header Deprecation (RFC 9745) of older names and addresses: when the newer ones were
 * released.
 */
export const DEPRECATED_SINCE = '@1795219200';
