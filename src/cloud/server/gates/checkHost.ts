import type { Context, Middleware } from 'koa';
import { parseHostName } from '../../../api/server/gates/addresses.ts';
import { SvcError } from '../../../base/errors/errors.ts';

const LOOPBACK: ReadonlySet<unknown> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What a browser says of requests that are not another site's; anything else counts as that. */
const OWN_SITES: ReadonlySet<string> = new Set(['', 'none', 'same-origin']);

/** Asked by machines under an address of the node itself; they change nothing, or need a secret. */
const OF_MACHINES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
const isOfMachines = (path: string): boolean =>
  OF_MACHINES.has(path) || path.startsWith('/internal/');

/** A link that someone follows, such as an invitation in a mail, or the way back from a login elsewhere. */
const isNavigation = (ctx: Context): boolean =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') && ctx.get('Sec-Fetch-Mode') === 'navigate';

/**
 * Refuses what a browser sends for another site: names that someone else points at this address, and
 * requests that pages of other origins make.
 */
export function checkHost(publicUrl: string): Middleware {
  const { hostname, origin } = new URL(publicUrl);
  return async (ctx, next) => {
    const host = parseHostName(ctx.get('Host'));
    if (!isOfMachines(ctx.path) && host !== hostname && !LOOPBACK.has(host))
      throw new SvcError(
        'foreign-host',
        `This control plane does not serve this host name; use ${publicUrl}, or start it with another --public-url.`,
      );
    const from = ctx.get('Origin').toLowerCase();
    const isOwn =
      from === '' ||
      from === origin ||
      (LOOPBACK.has(host) && from === `http://${ctx.get('Host').toLowerCase()}`);
    const site = ctx.get('Sec-Fetch-Site').trim().toLowerCase();
    if (!isOwn || (!OWN_SITES.has(site) && !isNavigation(ctx)))
      throw new SvcError(
        'foreign-origin',
        `Requests from pages of another origin are refused. Open ${publicUrl} itself.`,
      );
    await next();
  };
}
