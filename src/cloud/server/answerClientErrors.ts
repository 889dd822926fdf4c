import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { findErrorCode } from '../../base/errors/findErrorCode.ts';
import type { Clock } from '../../base/time/clock.ts';

/** Seconds after which a request that came too late may be sent again. */
const RETRY_AFTER_SECONDS = 1;
/** How long a refused client may take to read why, ms; then it is cut. */
const GOODBYE_MS = 2_000;

interface Refusal {
  status: 400 | 408 | 413 | 431;
  detail: string;
}

const MALFORMED: Refusal = { status: 400, detail: 'This is no request of HTTP/1.1.' };

/** By the code of Node's error. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    detail:
      'The request did not come completely in time. The node may be busy: nothing was done, send it again.',
  },
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    detail: 'The extensions of a chunk are too large.',
  },
};

function formatReply({ status, detail }: Refusal): string {
  const title = STATUS_CODES[status];
  const body = JSON.stringify({ type: 'about:blank', title, status, detail });
  return [
    `HTTP/1.1 ${status} ${title}`,
    'Connection: close',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 408 ? [`Retry-After: ${RETRY_AFTER_SECONDS}`] : []),
    '',
    body,
  ].join('\r\n');
}

/**
 * Tells clients why their request is refused before any route has it. Node would cut them off while they still send, so
 * that many never read it. A request that has arrived is not late because the node was: Node judges it before it reads.
 */
export function answerClientErrors(server: Server, clock: Clock): void {
  /** The newest reply on each connection. */
  const replies = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();

  const refuse = (socket: Duplex, code: string): void => {
    const reply = replies.get(socket);
    const hasBegun = reply?.headersSent === true && !reply.writableFinished;
    if (!socket.writable || hasBegun || code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    refused.add(socket);
    socket.end(formatReply(REFUSALS[code] ?? MALFORMED));
    clock.at(clock.now() + GOODBYE_MS, () => socket.destroy());
  };

  server.prependListener('request', (req, res) => {
    // It was refused, and nothing of it may happen.
    if (refused.has(req.socket)) req.socket.destroy();
    replies.set(req.socket, res);
  });
  server.on('clientError', (error, socket) => {
    const code = findErrorCode(error) ?? '';
    if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') return refuse(socket, code);
    const reply = replies.get(socket);
    // What waits at the socket is read before that.
    setImmediate(() => {
      if (replies.get(socket) === reply) refuse(socket, code);
    });
  });
}
