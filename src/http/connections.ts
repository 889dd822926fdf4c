import type { Socket } from 'node:net';
import type { Middleware } from 'koa';
import { SvcError } from '../lib/errors.ts';

/**
 * Headers that a request may have. Node would drop those that are too many for it without a word.
 */
export const MAX_HEADERS = 100;

/** Bounds of what clients may take of the server. */
export interface ConnectionLimits {
  /**
   * Connections at once. Those that come on top are answered with 503 and closed; twice as many are
   * not even taken.
   */
  connections: number;
  /** How long a client may take for the head of a request, ms. */
  headersMs: number;
  /** How long a client may take for a whole request, ms. Answers and streams have no such limit. */
  requestMs: number;
  /** Between two looks for clients that are too slow, ms. */
  checkMs: number;
}

/** A client that is too slow is gone after 30 s at the latest. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 1_000,
  headersMs: 15_000,
  requestMs: 25_000,
  checkMs: 5_000,
};

/**
 * The connections of a server, so that those that come on top of its limit can be told why they are
 * refused.
 */
export class Connections {
  readonly #late = new WeakSet<Socket>();
  #open = 0;

  add(socket: Socket, limit: number): void {
    this.#open += 1;
    if (this.#open > limit) this.#late.add(socket);
    socket.once('close', () => {
      this.#open -= 1;
    });
  }

  /** Refuses requests with too many headers, and those on connections beyond the limit. */
  readonly gate: Middleware = async (ctx, next) => {
    if (this.#late.has(ctx.req.socket)) {
      ctx.set('Connection', 'close');
      throw new SvcError(
        'busy',
        'Too many connections to this runner are open. Close some, or try again in a moment.',
      );
    }
    const count = ctx.req.rawHeaders.length / 2;
    if (count > MAX_HEADERS) {
      throw new SvcError(
        'too-many-headers',
        `The request has ${count} headers; at most ${MAX_HEADERS} are read.`,
      );
    }
    await next();
  };
}
