import { ECDH } from 'node:crypto';
import { isIP } from 'node:net';
import { SvcError } from '../../base/errors/errors.ts';
import { isLoopbackAddress } from '../../base/http/isLoopbackAddress.ts';
import { isInner } from '../../base/system/network/innerAddresses.ts';
import { isPrivateHost } from '../../base/system/network/isPrivateHost.ts';
import type { NewPushSubscription } from '../../contract/schema/runner/notifications.ts';

const AUTH_BYTES = 16;

/**
 * Checks what a browser sends when it is turned on. The address of its push service is chosen by who
 * sends it, so none in the own network is taken but those of `allowHosts`. Throws SvcError
 * `bad-argument`, which never repeats the address: it is a secret.
 */
export function checkSubscription(
  { endpoint, keys }: NewPushSubscription,
  allowHosts: readonly string[],
): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const host = url?.hostname.replace(/^\[|\]$/g, '').toLowerCase() ?? '';
  const isAllowed = isAllowedHost(host, allowHosts);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '')
    throw new SvcError('bad-argument', 'endpoint must be the address that the browser gave.');
  const mayBePlain = isAllowed && isLoopbackAddress(host);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain))
    throw new SvcError('bad-argument', 'endpoint must begin with https://.');
  if (!isAllowed && (isPrivateHost(host) || (isIP(host) !== 0 && isInner(host))))
    throw new SvcError(
      'bad-argument',
      `endpoint names ${host}, an address of this machine or its network. If a push service runs there, add it to allowHosts of the channel.`,
    );
  if (!isPublicKey(keys.p256dh))
    throw new SvcError('bad-argument', 'keys.p256dh is no public key of a browser.');
  if (Buffer.from(keys.auth, 'base64url').length !== AUTH_BYTES)
    throw new SvcError('bad-argument', `keys.auth must be ${AUTH_BYTES} bytes as base64url.`);
}

export const isAllowedHost = (host: string, allowHosts: readonly string[]): boolean =>
  allowHosts.some((allowed) => allowed.replace(/^\[|\]$/g, '').toLowerCase() === host);

/** An uncompressed point of the curve P-256. */
function isPublicKey(text: string): boolean {
  const point = Buffer.from(text, 'base64url');
  try {
    const whole = ECDH.convertKey(point, 'prime256v1', undefined, undefined, 'uncompressed');
    return point.equals(whole as Buffer);
  } catch {
    return false;
  }
}
