import type { Context, Middleware } from 'koa';
import type { RouteBody } from '../../../contract/routes/route.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { parseHostName, formatUrlHost, isWildcard } from './addresses.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The names that a request may ask for. A web page cannot make a browser send one of these to its
 * own address.
 */
function servesHost(ctx: Context, bindHost: string): boolean {
  const name = parseHostName(ctx.get('Host'));
  if (name === null) return false;
  if (name === 'localhost' || name === '127.0.0.1' || name === '[::1]') return true;
  if (!isWildcard(bindHost)) return name === formatUrlHost(bindHost);
  // Bound to every address: the one that the connection came in on. It is a number, so no name can
  // be pointed at it.
  const local = (ctx.req.socket.localAddress ?? '').replace(/^::ffff:/, '');
  return name === formatUrlHost(local) || name === bindHost;
}

/**
 * Page of the dashboard to which the vendors of executors send a browser back after a login. What
 * they bring is checked when the page sends it on.
 */
export const RETURN_PATH = '/dashboard/plugins';

/** What a browser says of requests that are not another site's; anything else counts as that. */
const OWN_SITES: ReadonlySet<string> = new Set(['', 'none', 'same-origin', 'same-site']);

const isReturn = (ctx: Context): boolean =>
  ctx.method === 'GET' &&
  ctx.path === RETURN_PATH &&
  ctx.get('Sec-Fetch-Mode') === 'navigate' &&
  ctx.get('Sec-Fetch-Dest') === 'document';

/**
 * Refuses what a browser sends for another site: host names that resolve to this runner (DNS
 * rebinding) and pages of other origins. The port in Host is free, because forwarded ports are
 * common; Origin must be equal to Host, port included. `findPublicUrl`: the address of a proxy in
 * front of the runner, which its owner has configured, so it is no other site; undefined = none.
 */
export const checkHostAndOrigin =
  (bindHost: string, findPublicUrl: () => string | undefined): Middleware =>
  (ctx, next) => {
    const publicUrl = parsePublicUrl(findPublicUrl());
    const isServed = servesHost(ctx, bindHost);
    const isPublic = publicUrl !== null && parseHostName(ctx.get('Host')) === publicUrl.hostname;
    // Only a proxy can have brought it, also one that adds no header.
    ctx.state.isFromProxy = isPublic && !isServed;
    if (!isServed && !isPublic) {
      throw new SvcError(
        'foreign-host',
        `This runner does not serve this host name; use http://localhost:${ctx.req.socket.localPort}/.`,
      );
    }
    const origin = ctx.get('Origin').toLowerCase();
    if (
      origin !== '' &&
      origin !== publicUrl?.origin &&
      !(isServed && origin === `http://${ctx.get('Host').toLowerCase()}`)
    ) {
      throw new SvcError(
        'foreign-origin',
        'Requests from pages of another origin are refused. Open the dashboard at its own address.',
      );
    }
    const site = ctx.get('Sec-Fetch-Site').trim().toLowerCase();
    // Another port of localhost counts as the same site: a link from there is fine, anything else
    // is not ours.
    if (
      (!OWN_SITES.has(site) && !isReturn(ctx)) ||
      (site === 'same-site' && ctx.get('Sec-Fetch-Mode') !== 'navigate')
    ) {
      throw new SvcError(
        'foreign-origin',
        'Requests made by another site are refused. Open this address directly.',
      );
    }
    return next();
  };

const parsePublicUrl = (text: string | undefined): URL | null =>
  text !== undefined && URL.canParse(text) ? new URL(text) : null;

export const hasBody = (ctx: Context): boolean =>
  ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0;

/** Media type of the body, without its parameters. */
export const readMediaType = (ctx: Context): string =>
  ctx.get('Content-Type').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The older media type of all bodies, and the one that names a merge patch (RFC 7396). */
export const JSON_TYPE = 'application/json';
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';
export const CSV_TYPE = 'text/csv';

const hasJsonBody = (ctx: Context): boolean =>
  readMediaType(ctx) === JSON_TYPE ||
  (ctx.method === 'PUT' && readMediaType(ctx) === MERGE_PATCH_TYPE);

/**
 * A form or a plain-text request can be sent by any page without asking first; JSON cannot. A body that its handler
 * reads as bytes counts by its signature, whatever its type.
 */
export const requireJsonBody =
  (findBody: (ctx: Context) => RouteBody | undefined): Middleware =>
  (ctx, next) => {
    const isRefused = !READING.has(ctx.method) && hasBody(ctx) && !hasJsonBody(ctx);
    if (isRefused && findBody(ctx)?.form !== 'bytes') {
      throw new SvcError(
        'unsupported-type',
        'The body must be JSON: send it with Content-Type: application/json.',
      );
    }
    return next();
  };
