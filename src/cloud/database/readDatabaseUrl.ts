import { SvcError } from '../../base/errors/errors.ts';

/** What the client is given beside the URL. */
export interface DatabaseAddress {
  url: string;
  /** Socket file of a server of this machine; null = the host in the URL. */
  path: string | null;
  /** For screening; null = the URL has none. */
  password: string | null;
}

/** Port that is part of the name of a socket, also where nothing listens on a port. */
export const DEFAULT_PORT = '5432';

/**
 * Reads `postgres://user:password@host/name`. As in libpq, `?host=/folder` names the folder of a
 * Unix socket, which the client itself does not know. Throws SvcError `bad-argument`; the message
 * never repeats the URL, which may hold a password.
 */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new SvcError(
      'bad-argument',
      'The database URL is not valid. Write it as postgres://user:password@host:5432/name.',
    );
  const password = url.password === '' ? null : decodeURIComponent(url.password);
  const folder = url.searchParams.get('host');
  if (folder === null || !folder.startsWith('/')) return { url: text, path: null, password };
  url.searchParams.delete('host');
  return { url: url.href, path: `${folder}/.s.PGSQL.${url.port || DEFAULT_PORT}`, password };
}
