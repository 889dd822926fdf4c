import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { InspectionEvent } from '../durable/contract.ts';
import { hostName, isLoopback } from './addresses.ts';
import { acceptKey, goodbyeFrame, IncomingFrames, textFrame } from './webSocketFrames.ts';

/** Most bytes that wait for a reader; one that takes nothing is cut, the runner does not wait for it. */
export const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Most readers at once. */
const MAX_READERS = 8;

const LOOPBACK = '127.0.0.1';

export interface Inspection {
  /** What an inspector connects to; the part behind the last slash is a secret of this start. */
  url: string;
  close(): Promise<void>;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Serves what actors do as messages of Stately's inspector (`createWebSocketReceiver({ server: url })`): an actor when it is first
 * heard of, then each event and the snapshot after it. Bound to loopback whatever the runner is bound to, and for nobody without the
 * secret in its address: contexts of jobs are in it, and any page of a browser may open such a connection. Pages of another origin are refused
 * even with the secret.
 */
export async function serveInspection(
  inspect: (observer: (event: InspectionEvent) => void) => () => void,
  secret = randomBytes(24).toString('base64url'),
): Promise<Inspection> {
  const path = `/inspect/${secret}`;
  const readers = new Set<Duplex>();
  const server = createServer((_, res) => {
    res.writeHead(426, { Upgrade: 'websocket', 'Content-Type': 'text/plain' }).end('Connect with a WebSocket.\n');
  });

  const refusalOf = (req: IncomingMessage): string | null => {
    const host = hostName(req.headers.host ?? '');
    if (host === null || !isLoopback(host.replace(/^\[|\]$/g, ''))) return '403 Forbidden';
    const { origin } = req.headers;
    if (origin !== undefined && origin.toLowerCase() !== `http://${req.headers.host?.toLowerCase()}`) return '403 Forbidden';
    if (!timingSafeEqual(digest(req.url ?? ''), digest(path))) return '404 Not Found';
    if (readers.size >= MAX_READERS) return '503 Service Unavailable';
    return typeof req.headers['sec-websocket-key'] === 'string' && req.headers['sec-websocket-version'] === '13'
      ? null
      : '400 Bad Request';
  };

  server.on('upgrade', (req, socket) => {
    socket.on('error', () => socket.destroy());
    const refusal = refusalOf(req);
    if (refusal !== null) return void socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    const accept = acceptKey(String(req.headers['sec-websocket-key']));
    const head = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    readers.add(socket);
    const forget = inspect((event) => {
      if (socket.writableLength > MAX_WAITING_BYTES) socket.destroy();
      else if (socket.writable) socket.write(textFrame(JSON.stringify(event)));
    });
    const incoming = new IncomingFrames();
    socket.on('data', (bytes: Buffer) => {
      const { answers, end } = incoming.take(bytes);
      for (const answer of answers) socket.write(answer);
      if (!end) return;
      leave();
      socket.end();
    });
    const leave = () => {
      forget();
      readers.delete(socket);
    };
    socket.on('close', leave);
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: LOOPBACK, port: 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://${LOOPBACK}:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        for (const reader of readers) reader.end(goodbyeFrame(), () => reader.destroy());
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
