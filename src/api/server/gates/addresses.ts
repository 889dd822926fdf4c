/**
 * Whether an address to bind to can be reached from this machine only. Names other than localhost
 * count as reachable.
 */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' ||
  host === '::1' ||
  host === '[::1]' ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

/** `0.0.0.0` and `::` bind to every address of the machine. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

export const formatUrlHost = (host: string): string =>
  (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host).toLowerCase();

/** The name in a Host header, without its port; null when it is not a name or address at all. */
export const parseHostName = (header: string): string | null =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(header.toLowerCase())?.[1] ?? null;
