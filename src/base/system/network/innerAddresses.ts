import { BlockList, isIP } from 'node:net';

/**
 * Networks that are not the public internet: loopback, private, link-local and cloud metadata,
 * multicast, reserved.
 */
const INNER: readonly (readonly [net: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

let blockList: BlockList | null = null;
/** Built at the first request, since compiling the address patterns would slow down the start. */
function openInnerAddresses(): BlockList {
  if (blockList !== null) return blockList;
  blockList = new BlockList();
  for (const [net, prefix] of INNER)
    blockList.addSubnet(net, prefix, isIP(net) === 6 ? 'ipv6' : 'ipv4');
  return blockList;
}

/**
 * Whether an IP address belongs to this machine or its network. IPv4-mapped IPv6 is checked as
 * IPv4.
 */
export const isInner = (address: string): boolean =>
  openInnerAddresses().check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
