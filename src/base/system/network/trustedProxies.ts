import { BlockList, isIP } from 'node:net';
import { SvcError } from '../../errors/errors.ts';

/** Longest list that a flag may name. */
const MOST_PROXIES = 100;

/** Addresses of proxies whose word about their clients counts. */
export interface TrustedProxies {
  /** Whether the address is one of them. */
  has(address: string): boolean;
}

/** An IPv4 address that a socket of IPv6 reports as `::ffff:192.0.2.1`, as it is written elsewhere. */
export const toPlainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.)/i, '');

const familyName = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const MOST_BITS = { ipv4: 32, ipv6: 128 };

function addProxy(list: BlockList, entry: string): void {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = familyName(address);
  const isRange =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= MOST_BITS[family]);
  if (isIP(address) === 0 || !isRange || rest.length > 0)
    throw new SvcError(
      'bad-argument',
      `--trust-proxy names "${entry}", but needs addresses or ranges such as 127.0.0.1 or 10.0.0.0/8, with commas between them.`,
    );
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

/** Reads a list such as `127.0.0.1,10.0.0.0/8,fd00::/8`. Throws SvcError `bad-argument`, which names the wrong entry. */
export function parseTrustedProxies(text: string): TrustedProxies {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length > MOST_PROXIES)
    throw new SvcError(
      'bad-argument',
      `--trust-proxy names ${entries.length} addresses, but may name ${MOST_PROXIES}. Use ranges such as 10.0.0.0/8.`,
    );
  const list = new BlockList();
  for (const entry of entries) addProxy(list, entry);
  return {
    has(address) {
      const plain = toPlainAddress(address);
      return isIP(plain) !== 0 && list.check(plain, familyName(plain));
    },
  };
}
