import type { Context, Middleware } from 'koa';
import type { AuditTrail } from '../../../contract/runner/auditTrail.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { findPeerAddress } from '../audit/runRecorded.ts';
import type { LoginCodes } from './loginCodes.ts';
import { readLoginCookies, setLoginCookie } from './loginCookie.ts';
import type { Logins } from './logins.ts';

const PREFIX = '/login/';

/**
 * `GET /login/<code>`: a dashboard login, once. The cookie is out of reach of scripts and other
 * sites. The page key goes to the page in the fragment of the address, which browsers never send,
 * or as JSON to a dashboard page that requested JSON; the page stores it.
 */
export const answerLoginLink =
  (codes: LoginCodes, logins: Logins, trail: AuditTrail): Middleware =>
  (ctx, next) =>
    ctx.path.startsWith(PREFIX) ? followLoginLink(ctx, codes, logins, trail) : next();

async function followLoginLink(
  ctx: Context,
  codes: LoginCodes,
  logins: Logins,
  trail: AuditTrail,
): Promise<void> {
  // A HEAD request is a preview of the link, not a person who follows it.
  if (ctx.method !== 'GET') {
    ctx.set('Allow', 'GET');
    throw new SvcError('method-not-allowed', 'Open the link in a browser.');
  }
  if (!codes.redeem(ctx.path.slice(PREFIX.length))) {
    throw new SvcError(
      'unauthorized',
      'This link has been used or has expired. Run `svc open` for a new one.',
    );
  }
  await trail.record({
    via: 'dashboard',
    person: null,
    address: findPeerAddress(ctx),
    action: 'login',
    target: {},
    jobId: null,
  });
  const { cookie, pageKey } = await logins.open(logins.find(readLoginCookies(ctx)));
  setLoginCookie(ctx, cookie);
  if (ctx.get('Accept').startsWith('application/json')) {
    ctx.body = JSON.stringify({ pageKey });
    ctx.type = 'application/json';
  } else {
    ctx.redirect(`/dashboard/#login=${pageKey}`);
    // Koa repeats the address in the body; the key belongs into the header alone.
    ctx.body = '';
  }
}
