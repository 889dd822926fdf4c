import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A network between two processes. */
export interface Network {
  /** What a round trip takes longer, ms; half of it in each direction. */
  rttMs: number;
  /** What each direction of a connection carries, bytes a millisecond; null = as much as the machine. */
  bytesPerMs: number | null;
}

/** 100 Mbit/s. */
export const HUNDRED_MBIT = 12_500;
/** Bytes on their way above which nothing more is read from the sender. */
const MOST_UNDER_WAY = 1024 * 1024;

async function carry(from: Socket, to: Socket, { rttMs, bytesPerMs }: Network): Promise<void> {
  const queue: { bytes: Buffer; at: number }[] = [];
  let underWay = 0;
  let freeAt = 0;
  let wake = (): void => undefined;
  let isOver = false;
  from.on('data', (bytes) => {
    const now = performance.now();
    freeAt = Math.max(now, freeAt) + (bytesPerMs === null ? 0 : bytes.length / bytesPerMs);
    queue.push({ bytes, at: freeAt + rttMs / 2 });
    underWay += bytes.length;
    if (underWay > MOST_UNDER_WAY) from.pause();
    wake();
  });
  from.once('close', () => {
    isOver = true;
    wake();
  });
  for (;;) {
    const next = queue.shift();
    if (next === undefined) {
      if (isOver) return void to.destroy();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    const delayMs = next.at - performance.now();
    if (delayMs > 0) await wait(delayMs);
    to.write(next.bytes);
    underWay -= next.bytes.length;
    if (underWay <= MOST_UNDER_WAY) from.resume();
  }
}

interface SlowProxy {
  port: number;
  /** Cuts what is open, and takes nothing more. */
  close(): void;
}

/** A TCP proxy in front of a port of this machine, as far away as the network is. */
export async function openSlowProxy(target: number, network: Network): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((outer) => {
    const inner = connect(target, '127.0.0.1');
    for (const socket of [outer, inner]) {
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    void carry(outer, inner, network);
    void carry(inner, outer, network);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
