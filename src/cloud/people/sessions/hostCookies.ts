import type { Context } from 'koa';
import { readCookie } from './readCookie.ts';

/**
 * Browsers take a cookie with this prefix only with Secure, for every path, and from the host itself: no other host of
 * its domain can plant one.
 */
const HOST_PREFIX = '__Host-';

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');

const toHostName = (publicUrl: string, name: string): string =>
  isSecure(publicUrl) ? `${HOST_PREFIX}${name}` : name;

interface HostCookie {
  /** Without the prefix. */
  name: string;
  value: string;
  /** Seconds; null = until the browser is closed. */
  maxAge: number | null;
}

/** Sets a cookie that scripts cannot read. With https its name gets the prefix. */
export function setHostCookie(ctx: Context, publicUrl: string, cookie: HostCookie): void {
  const { name, value, maxAge } = cookie;
  const parts = [
    `${toHostName(publicUrl, name)}=${value}`,
    'Path=/',
    ...(maxAge === null ? [] : [`Max-Age=${maxAge}`]),
    'HttpOnly',
    // Lax: browsers come back from the issuer of a company.
    'SameSite=Lax',
    ...(isSecure(publicUrl) ? ['Secure'] : []),
  ];
  ctx.append('Set-Cookie', parts.join('; '));
}

/** The value of a cookie that was set this way; null = the browser did not send it. */
export const readHostCookie = (ctx: Context, publicUrl: string, name: string): string | null =>
  readCookie(ctx.req, toHostName(publicUrl, name));

export const removeHostCookie = (ctx: Context, publicUrl: string, name: string): void =>
  setHostCookie(ctx, publicUrl, { name, value: '', maxAge: 0 });
