import type { IncomingMessage } from 'node:http';

/** The first cookie with this name; null = none. */
export function readCookie(req: IncomingMessage, name: string): string | null {
  const start = `${name}=`;
  const cookie = (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start));
  return cookie?.slice(start.length) || null;
}
