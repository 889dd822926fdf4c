import { realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Context, Middleware } from 'koa';
import serveStatic from 'koa-static';
import { SvcError } from '../../base/errors/errors.ts';

const PREFIX = '/dashboard';

/**
 * Pages of the dashboard by the first part of their path; the page itself keeps its place behind
 * the `#`.
 */
const PAGES = new Set([
  'jobs',
  'inbox',
  'board',
  'new',
  'workflows',
  'machines',
  'plugins',
  'proposals',
  'settings',
  'insights',
]);

export const isOfDashboard = (path: string): boolean =>
  path === '/' || path === PREFIX || path.startsWith(`${PREFIX}/`);

/** Whether the path is that of a page, such as /jobs/<id>, and not of a file. */
function isDashboardPage(path: string): boolean {
  try {
    const parts = decodeURIComponent(path).slice(1).split(/[\\/]/);
    return PAGES.has(parts[0] ?? '') && !parts.some((part) => part === '.' || part === '..');
  } catch {
    return false;
  }
}

/** Names of built files under here hold a hash of their content: they never change. */
const HASHED = `${sep}assets${sep}`;

/** The static server follows links, so a link out of the folder counts as missing. */
async function leadsInsideFolder(root: string, path: string): Promise<boolean> {
  try {
    const [folder, file] = await Promise.all([
      realpath(root),
      realpath(join(root, decodeURIComponent(path))),
    ]);
    return file === folder || file.startsWith(folder + sep);
  } catch {
    return false;
  }
}

/** Where built files are in addresses; also those of them that were compressed when they were built. */
const ASSETS = '/assets/';

/** Sends the file that the build has compressed, to who takes it; false = none exists, or it is not taken. */
async function sendCompressed(ctx: Context, dir: string, files: Middleware): Promise<boolean> {
  const { path } = ctx;
  if (ctx.acceptsEncodings('br', 'identity') !== 'br') return false;
  if (!(await leadsInsideFolder(dir, `${path}.br`))) return false;
  ctx.path = `${path}.br`;
  let isSent = true;
  await files(ctx, async () => {
    isSent = false;
  });
  ctx.path = path;
  if (!isSent) return false;
  ctx.set('Content-Encoding', 'br');
  ctx.vary('Accept-Encoding');
  ctx.type = extname(path);
  return true;
}

/** Serves the built dashboard; `dir` null = it was not built. */
export function serveDashboard(dir: string | null): Middleware {
  // Its own search for .gz and .br neighbours would open them without the check of where they lead.
  const files = dir === null ? null : serveStatic(dir, { brotli: false, gzip: false, setHeaders });
  return async (ctx, next) => {
    if (ctx.path === '/' || ctx.path === PREFIX) return ctx.redirect(`${PREFIX}/`);
    if (!ctx.path.startsWith(`${PREFIX}/`)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      throw new SvcError('method-not-allowed', 'The dashboard is read-only.');
    }
    if (dir === null || files === null) {
      throw new SvcError(
        'not-found',
        'The dashboard is not built: run `npm run build` in the svc folder and restart the runner.',
      );
    }
    const requestedPath = ctx.path;
    const rest = requestedPath.slice(PREFIX.length);
    const path = isDashboardPage(rest) ? '/' : rest;
    const missing = new SvcError('not-found', 'The dashboard has no such file.');
    if (!(await leadsInsideFolder(dir, path))) throw missing;
    ctx.remove('Cache-Control');
    ctx.path = path;
    try {
      if (path.includes(ASSETS) && (await sendCompressed(ctx, dir, files))) return;
      await files(ctx, async () => {
        throw missing;
      });
    } catch (error) {
      // The static server's own refusals (dot files, broken escapes) are about a file that does not
      // exist for any client.
      if (error instanceof Error && 'status' in error && Number(error.status) < 500) throw missing;
      throw error;
    } finally {
      ctx.path = requestedPath;
    }
  };
}

function setHeaders(res: { setHeader(name: string, value: string): unknown }, path: string): void {
  res.setHeader(
    'Cache-Control',
    path.includes(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
  );
}
