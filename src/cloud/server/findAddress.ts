import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Middleware } from 'koa';
import { toPlainAddress, type TrustedProxies } from '../../base/system/network/trustedProxies.ts';

/** The authorization server answers with a context of its own: only the request is the same everywhere. */
const addresses = new WeakMap<IncomingMessage, string>();

const readPeer = (req: IncomingMessage): string => toPlainAddress(req.socket.remoteAddress ?? '');

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` and `[2001:db8::1]:4711` as an address; null = it is none. */
function readForwardedAddress(entry: string): string | null {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d+$/, '$1');
  return isIP(bare) === 0 ? null : toPlainAddress(bare);
}

/**
 * Each proxy adds the address that it was called from at the end of X-Forwarded-For. From there on, addresses of
 * trusted proxies are passed over; the first other one is the client. Whatever is before it, the client itself wrote.
 */
function readClientAddress(req: IncomingMessage, trustedProxies: TrustedProxies): string {
  let address = readPeer(req);
  const entries = String(req.headers['x-forwarded-for'] ?? '').split(',');
  for (const entry of entries.reverse()) {
    if (!trustedProxies.has(address)) return address;
    const next = readForwardedAddress(entry.trim());
    if (next === null) return address;
    address = next;
  }
  return address;
}

/** Finds the address of each request's client for {@link findAddress}. `trustedProxies` null = headers count for nothing. */
export const keepAddress =
  (trustedProxies: TrustedProxies | null): Middleware =>
  ({ req }, next) => {
    if (trustedProxies !== null) addresses.set(req, readClientAddress(req, trustedProxies));
    return next();
  };

/** The address that limits count by and the audit log names: the client's, as far as trusted proxies name it. */
export const findAddress = (req: IncomingMessage): string => addresses.get(req) ?? readPeer(req);
