import type { Socket } from 'node:net';
import type { Middleware } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';

/**
 * Maximum number of headers. Node would silently drop headers above its own limit.
 */
export const MAX_HEADERS = 100;

export interface ConnectionLimits {
  /**
   * Concurrent connections. Further ones get a 503 and are closed; above twice as many, none is
   * accepted.
   */
  connections: number;
  /** How long a client may take for the head of a request, ms. */
  headersMs: number;
  /** How long a client may take for a whole request, ms. Answers and streams have no such limit. */
  requestMs: number;
  /** Interval of the check for slow clients, ms. */
  checkMs: number;
}

/** A slow client is disconnected after 30 s at the latest. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 1_000,
  headersMs: 15_000,
  requestMs: 25_000,
  checkMs: 5_000,
};

/**
 * The connections of a server, so that a connection above its limit gets a reason for the refusal.
 */
export class Connections {
  readonly #late = new WeakSet<Socket>();
  readonly #open = new Set<Socket>();

  add(socket: Socket, limit: number): void {
    this.#open.add(socket);
    if (this.#open.size > limit) this.#late.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }

  /**
   * Closes those on which nothing has come yet: clients open them in advance, and Node does not count
   * them as idle.
   */
  closeUnused(): void {
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Refuses requests with too many headers, and those on connections beyond the limit. */
  readonly gate: Middleware = (ctx, next) => {
    if (this.#late.has(ctx.req.socket)) {
      ctx.set('Connection', 'close');
      throw new SvcError('busy', 'Too many connections are open. Close some or try again shortly.');
    }
    const count = ctx.req.rawHeaders.length / 2;
    if (count > MAX_HEADERS) {
      throw new SvcError(
        'too-many-headers',
        `The request has ${count} headers; at most ${MAX_HEADERS} are read.`,
      );
    }
    return next();
  };
}
