import { isIP } from 'node:net';
import { isLoopbackAddress } from '../../http/isLoopbackAddress.ts';

/** IPv4: 10/8, 172.16/12, 192.168/16, link-local, and the range of carriers and overlay networks. */
const PRIVATE_IPV4 =
  /^(0\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
/** IPv6: unique local and link-local. */
const PRIVATE_IPV6 = /^(f[cd]|fe[89ab])/;
const PRIVATE_NAME = /\.(local|localhost|internal|lan|home\.arpa)$/;

/**
 * True for a host of this machine or of its network: a loopback or private address, or a name that
 * no public server has, such as `ollama` or `models.internal`. Names are not looked up.
 */
export function isPrivateHost(input: string): boolean {
  const host = input
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (isLoopbackAddress(host)) return true;
  const version = isIP(host);
  if (version === 4) return PRIVATE_IPV4.test(host);
  if (version === 6) return PRIVATE_IPV6.test(host) || host === '::';
  return !host.includes('.') || PRIVATE_NAME.test(host);
}
