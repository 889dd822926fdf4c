import { SvcError } from '../base/errors/errors.ts';
import { isLoopbackAddress } from '../base/http/isLoopbackAddress.ts';

/**
 * The address of a control plane that a runner may send its token to, without a slash at the end. Throws SvcError
 * `config-invalid` for an invalid address, and for plain http to another machine: the token would be readable on
 * the way.
 */
export function toHttpAddress(cloudUrl: string): string {
  const url = URL.canParse(cloudUrl) ? new URL(cloudUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new SvcError('config-invalid', 'cloud.url is no http or https address.');
  if (url.protocol === 'http:' && !isLoopbackAddress(url.hostname))
    throw new SvcError(
      'config-invalid',
      'cloud.url is plain http to another machine. Use https, so that no one reads the token on the way.',
    );
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}
