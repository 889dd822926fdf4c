import { isLoopbackAddress } from '../../../src/base/http/isLoopbackAddress.ts';

const EVERY_ADDRESS = ['0.0.0.0', '::', '[::]'];

export interface NetworkAddress {
  address: string;
  internal: boolean;
  scopeid?: number | undefined;
}

/** The addresses of a runner that other machines can reach, and its token; empty on loopback. */
export function describeReach(
  host: string,
  url: string,
  interfaces: Readonly<Record<string, readonly NetworkAddress[] | undefined>>,
): string {
  if (isLoopbackAddress(host)) return '';
  const { port } = new URL(url);
  const addresses = EVERY_ADDRESS.includes(host)
    ? Object.values(interfaces)
        .flatMap((each) => each ?? [])
        .filter(({ internal, scopeid }) => !internal && !scopeid)
        .map(({ address }) => address)
    : [host];
  const urls = addresses.map(
    (address) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
  );
  const where = urls.length === 0 ? 'an address that it does not have yet' : urls.join(', ');
  return `Other machines can reach this runner (server.host is ${host}) at ${where}. Requests need the token in runner.token.\n`;
}
