import { digestSha256 } from '../../base/system/ids/ids.ts';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import type { InspectionEvent } from '../../kernel/contract.ts';
import { parseHostName, isLoopbackHost } from '../../api/server/gates/addresses.ts';

/**
 * Most bytes that wait for a reader; a slower one is disconnected, for the runner does not wait.
 */
export const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_READERS = 8;
/** Most bytes of one message from a reader: readers only ever say that they leave. */
const MAX_INCOMING_BYTES = 4_096;
/** How long a reader may take to answer a close before it is disconnected, ms. */
const CLOSE_TIMEOUT_MS = 1_000;

const LOOPBACK = '127.0.0.1';
/** The only version of the protocol that is spoken: RFC 6455. */
const PROTOCOL_VERSION = '13';
/** Close code: the server goes away. */
const GOING_AWAY = 1001;

export interface Inspection {
  /** What an inspector connects to; the part behind the last slash is a secret of this start. */
  url: string;
  /** Says goodbye to every reader and frees the port. Never rejects. */
  close(): Promise<void>;
}

/** `closeTimeout` is newer than the published types. */
const OPTIONS: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: true,
  perMessageDeflate: false,
  maxPayload: MAX_INCOMING_BYTES,
  closeTimeout: CLOSE_TIMEOUT_MS,
};

/**
 * Serves what actors do as messages of Stately's inspector
 * (`createWebSocketReceiver({ server: url })`): an actor when it is first heard of, then each event
 * and the snapshot after it. Always bound to loopback, whatever the runner is bound to, and closed
 * without the secret in its address: contexts of jobs are in it, and any page in a browser may open
 * such a connection. Pages of another origin are refused even with the secret.
 */
export async function serveInspection(
  inspect: (observer: (event: InspectionEvent) => void) => () => void,
  secret = randomBytes(24).toString('base64url'),
): Promise<Inspection> {
  const path = `/inspect/${secret}`;
  const sockets = new WebSocketServer(OPTIONS);
  const server = createServer((_, res) => {
    res.writeHead(426, { Upgrade: 'websocket', 'Content-Type': 'text/plain' });
    res.end('Connect with a WebSocket.\n');
  });

  /** Status line of the refusal; null = let in. The library checks the rest of the handshake. */
  const findRefusal = ({ headers, url = '' }: IncomingMessage): string | null => {
    const { host = '', origin } = headers;
    const name = parseHostName(host);
    if (name === null || !isLoopbackHost(name.replace(/^\[|\]$/g, ''))) return '403 Forbidden';
    if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
      return '403 Forbidden';
    if (!timingSafeEqual(digestSha256(url), digestSha256(path))) return '404 Not Found';
    if (sockets.clients.size >= MAX_READERS) return '503 Service Unavailable';
    return headers['sec-websocket-version'] === PROTOCOL_VERSION ? null : '400 Bad Request';
  };

  server.on('upgrade', (req, socket, head) => {
    const refusal = findRefusal(req);
    if (refusal === null) {
      sockets.handleUpgrade(req, socket, head, (reader) => feedInspectionReader(reader, inspect));
      return;
    }
    socket.on('error', () => socket.destroy());
    socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
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
        for (const reader of sockets.clients) reader.close(GOING_AWAY);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function feedInspectionReader(
  reader: WebSocket,
  inspect: (observer: (event: InspectionEvent) => void) => () => void,
): void {
  const forget = inspect((event) => {
    if (reader.bufferedAmount > MAX_WAITING_BYTES) reader.terminate();
    else if (reader.readyState === WebSocket.OPEN) reader.send(JSON.stringify(event));
  });
  reader.on('close', forget);
  // The library has already reported to the reader what is wrong with the message.
  reader.on('error', () => reader.terminate());
}
