import { createServer } from 'node:net';
import type { CheckoutSettings } from '../../../contract/schema/runner/checkoutSettings.ts';

interface PortRange {
  port: number;
  ports: number;
}

/** Ranges that could be given out, beginning with the one of number `from` and then around. */
export function listPortRanges(
  { first, last, perCheckout }: CheckoutSettings['ports'],
  from: number,
): PortRange[] {
  if (perCheckout === 0) return [];
  const count = Math.floor((last - first + 1) / perCheckout);
  return Array.from({ length: count }, (_, n) => ({
    port: first + ((from + n) % count) * perCheckout,
    ports: perCheckout,
  }));
}

const overlaps = (one: PortRange, other: PortRange): boolean =>
  one.port < other.port + other.ports && other.port < one.port + one.ports;

/** The first range that shares no port with a taken one, and whose ports no program uses. */
export async function findPortRange(
  ranges: readonly PortRange[],
  takenRanges: readonly PortRange[],
  isInUse: (port: number) => Promise<boolean>,
): Promise<PortRange | null> {
  for (const range of ranges) {
    if (takenRanges.some((one) => overlaps(one, range))) continue;
    const inUse = await Promise.all(
      Array.from({ length: range.ports }, (_, n) => isInUse(range.port + n)),
    );
    if (!inUse.includes(true)) return range;
  }
  return null;
}

/** Whether a program listens on this port of the loopback address, or the port cannot be used. */
export const isPortInUse = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(true));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () =>
      server.close(() => resolve(false)),
    );
  });
