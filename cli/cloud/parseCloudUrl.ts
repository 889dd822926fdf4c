import { isLoopbackAddress } from '../../src/base/http/isLoopbackAddress.ts';
import { SvcError } from '../../src/base/errors/errors.ts';

export const DEFAULT_CLOUD_URL = 'http://localhost:4000';

/**
 * The origin of a control plane, without a slash at its end. Throws SvcError `bad-argument`, also
 * for http to another machine: passwords and tokens would cross the network in the open.
 */
export function parseCloudUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new SvcError(
      'bad-argument',
      `The address of the control plane is "${text}", but must be a URL such as https://svc.example.com.`,
    );
  if (url.protocol === 'http:' && !isLoopbackAddress(url.hostname))
    throw new SvcError(
      'bad-argument',
      `${url.origin} is not encrypted: your login would cross the network in plain text. Use https. Plain http is allowed only for an address of this machine.`,
    );
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new SvcError(
      'bad-argument',
      `Give the address of the control plane without a path: ${url.origin}.`,
    );
  return url.origin;
}
