import type { Duplex } from 'node:stream';

const REFUSALS = {
  401: 'Unauthorized',
  503: 'Service Unavailable',
} as const;

/** Answers a handshake that does not become a socket. */
export function refuseHandshake(socket: Duplex, status: keyof typeof REFUSALS): void {
  const retry = status === 503 ? 'Retry-After: 1\r\n' : '';
  socket.end(
    `HTTP/1.1 ${status} ${REFUSALS[status]}\r\nConnection: close\r\n${retry}Content-Length: 0\r\n\r\n`,
  );
}
