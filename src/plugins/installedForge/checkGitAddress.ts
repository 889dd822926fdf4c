import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SvcError } from '../../base/errors/errors.ts';
import { allowHostAdvice, isInner } from '../guardedRequest.ts';

type Resolve = (host: string) => Promise<readonly { address: string }[]>;

const resolveAll: Resolve = (host) => lookup(host, { all: true });

/**
 * Checks where a plugin sends git. Throws SvcError `forbidden` for an inner address that
 * `allowHosts` does not name and for one with a login in it, `unreachable` for a name that does not
 * resolve.
 */
export async function checkGitAddress(
  plugin: string,
  address: string,
  allowHosts: readonly string[],
  resolve: Resolve = resolveAll,
): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isHttp || url.username !== '' || url.password !== '') {
    throw new SvcError(
      'forbidden',
      `${plugin} passes git an address that is not http(s):// or that contains a login.`,
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (allowHosts.some((one) => one.toLowerCase() === host)) return;
  const found =
    isIP(host) === 0 ? await resolveGitHost(plugin, host, resolve) : [{ address: host }];
  if (!found.some((one) => isInner(one.address))) return;
  throw new SvcError(
    'forbidden',
    `${plugin} sends git to ${host}, an address of this machine or its network. ${allowHostAdvice(plugin, allowHosts, host)}`,
  );
}

async function resolveGitHost(plugin: string, host: string, resolve: Resolve) {
  try {
    return await resolve(host);
  } catch (error) {
    throw new SvcError('unreachable', `${plugin} sends git to ${host}, which has no address.`, {
      cause: error,
    });
  }
}
