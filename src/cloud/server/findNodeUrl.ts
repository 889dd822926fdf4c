import { formatUrlHost, isWildcard } from '../../api/server/gates/addresses.ts';

/** What Node says of an address of this machine. */
export interface MachineAddress {
  address: string;
  family: string;
  internal: boolean;
}

/**
 * Where other nodes reach one that listens on `host`. One that listens on every address names the first
 * that other machines can reach: at its loopback address they would only find themselves.
 */
export function findNodeUrl(
  host: string,
  port: number,
  interfaces: Readonly<Record<string, readonly MachineAddress[] | undefined>>,
): string {
  const bare = host.replace(/^\[|\]$/g, '');
  const outside = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  const reachableHost = isWildcard(bare) ? (outside?.address ?? '127.0.0.1') : bare;
  return `http://${formatUrlHost(reachableHost)}:${port}`;
}
