import type { Context } from 'koa';

/** How long a dashboard login lasts after its last use, ms. */
export const LOGIN_MS = 30 * 24 * 60 * 60_000;

/** Cookie of releases before 0.3: it held the runner's token. */
const OLD_COOKIE = 'svc_token';

/** Cookies with the same name that are checked: other ports of the host can add some. */
const MAX_COOKIES = 8;

/**
 * Cookies belong to a host and not to a port, so runners side by side each have a name of their
 * own.
 */
const buildLoginCookieName = (ctx: Context): string => `svc_login_${ctx.req.socket.localPort ?? 0}`;

function readCookieValues(ctx: Context, name: string): string[] {
  const cookies = ctx.get('Cookie');
  // Programs send none.
  if (cookies === '') return [];
  return cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .slice(0, MAX_COOKIES)
    .map((pair) => pair.slice(name.length + 1));
}

/**
 * Values of the login cookie. More than one where another port of the host has set one of the same
 * name.
 */
export const readLoginCookies = (ctx: Context): string[] =>
  readCookieValues(ctx, buildLoginCookieName(ctx));

const OPTIONS = { httpOnly: true, sameSite: 'strict', path: '/', overwrite: true } as const;

/**
 * Out of the reach of scripts and other sites; kept by the browser for as long as the login lasts
 * without being used.
 */
export const setLoginCookie = (ctx: Context, value: string): void =>
  void ctx.cookies.set(buildLoginCookieName(ctx), value, { ...OPTIONS, maxAge: LOGIN_MS });

export const clearLoginCookie = (ctx: Context): void =>
  void ctx.cookies.set(buildLoginCookieName(ctx), null, OPTIONS);

/** Takes the runner's token out of browsers that an earlier release has put it into. */
export function clearOldCookie(ctx: Context): void {
  if (readCookieValues(ctx, OLD_COOKIE).length > 0) ctx.cookies.set(OLD_COOKIE, null, OPTIONS);
}
