import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { SvcError } from '../lib/errors.ts';
import type { Settings } from '../schema/settings.ts';
import { hostName, inUrl, isLoopback, isWildcard } from './addresses.ts';

/** Cookie that the one-time link exchanges itself for; its value is the runner's token. */
export const TOKEN_COOKIE = 'svc_token';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The names that a request may ask for. A web page cannot make a browser send one of these to its own address. */
function servedHost(ctx: Context, bindHost: string): boolean {
  const name = hostName(ctx.get('Host'));
  if (name === null) return false;
  if (name === 'localhost' || name === '127.0.0.1' || name === '[::1]') return true;
  if (!isWildcard(bindHost)) return name === inUrl(bindHost);
  // Bound to every address: the one that the connection came in on. It is a number, so no name can be pointed at it.
  const local = (ctx.req.socket.localAddress ?? '').replace(/^::ffff:/, '');
  return name === inUrl(local) || name === bindHost;
}

/**
 * Refuses what a browser sends for somebody else: names that point at us (DNS rebinding) and pages of other origins.
 * The port in Host is free, because forwarded ports are common; Origin must be equal to Host, port included.
 */
export const hostAndOrigin =
  (bindHost: string): Middleware =>
  async (ctx, next) => {
    if (!servedHost(ctx, bindHost)) {
      throw new SvcError(
        'foreign-host',
        `This runner is not served under the host name that was asked for; use http://localhost:${ctx.req.socket.localPort}/.`,
      );
    }
    const origin = ctx.get('Origin').toLowerCase();
    if (origin !== '' && origin !== `http://${ctx.get('Host').toLowerCase()}`) {
      throw new SvcError(
        'foreign-origin',
        'Requests of pages of another origin are refused; open the dashboard at its own address.',
      );
    }
    const site = ctx.get('Sec-Fetch-Site');
    // Another port of localhost counts as the same site: a link from there is fine, anything else is not ours.
    if (site === 'cross-site' || (site === 'same-site' && ctx.get('Sec-Fetch-Mode') !== 'navigate')) {
      throw new SvcError('foreign-origin', 'Requests that another site caused are refused; open this address by hand.');
    }
    await next();
  };

export const hasBody = (ctx: Context): boolean => ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0;

export const isJson = (ctx: Context): boolean =>
  ctx.get('Content-Type').split(';', 1)[0]?.trim().toLowerCase() === 'application/json';

/** A form or a plain-text request can be sent by any page without asking first; JSON cannot. */
export const jsonOnly: Middleware = async (ctx, next) => {
  if (!READING.has(ctx.method) && hasBody(ctx) && !isJson(ctx)) {
    throw new SvcError('unsupported-type', 'The body must be JSON: send it with Content-Type: application/json.');
  }
  await next();
};

/** Whether requests must carry the token: always, or in `auto` when others than this machine can reach us. */
export const tokenDemanded = ({ auth, host }: Pick<Settings['server'], 'auth' | 'host'>): boolean =>
  auth === 'required' || (auth === 'auto' && !isLoopback(host));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Equal without telling by the time it takes how much of it is. */
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** Throws SvcError `unauthorized` unless the request carries the token, as `Authorization: Bearer` or as the cookie. */
export function demandToken(ctx: Context, token: string): void {
  const bearer = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization'))?.[1];
  const given = bearer ?? ctx.cookies.get(TOKEN_COOKIE);
  if (token !== '' && given !== undefined && same(given, token)) return;
  throw new SvcError(
    'unauthorized',
    'Send the token of runner.token (in the home of svc): "Authorization: Bearer $(cat ~/.svc/runner.token)". A browser gets in by the link that the runner prints at its start.',
  );
}

/** Deliveries of forges: they prove who sent them by their signature. */
export const isWebhook = (path: string): boolean => path.startsWith('/webhooks/');

/** Headers that proxies and tunnels add: who sends them is not the person at this machine, though the connection is from here. */
const FORWARDED = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'CF-Connecting-IP', 'Via'];

const isForwarded = (ctx: Context): boolean => FORWARDED.some((name) => ctx.get(name) !== '');

/** Demands the token of every request where one is demanded. The agents' tool servers have tokens of their own. */
export const tokenGate =
  (server: Pick<Settings['server'], 'auth' | 'host'>, token: string): Middleware =>
  async (ctx, next) => {
    const hasOwn = ctx.path.startsWith('/mcp/') || ctx.path.startsWith('/login/') || isWebhook(ctx.path);
    const demanded = tokenDemanded(server) || (server.auth === 'auto' && isForwarded(ctx));
    if (demanded && !hasOwn) demandToken(ctx, token);
    await next();
  };
