import type { Middleware } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';

/** The requests that a node is answering, and whether it still takes new ones. */
export class OpenRequests {
  #open = 0;
  #draining = false;
  #idle: (() => void)[] = [];
  readonly #leaving = new AbortController();

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Aborted when the node begins to stop: streams end then, and their clients go to another node. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  readonly gate: Middleware = async (ctx, next) => {
    if (this.#draining) {
      ctx.set('Connection', 'close');
      // Monitors ask for it until the end.
      if (ctx.path !== '/health' && ctx.path !== '/ready' && ctx.path !== '/metrics')
        throw new SvcError(
          'stopping',
          'This node of the control plane is stopping. Send the request again.',
        );
    }
    this.#open += 1;
    const end = () => {
      this.#open -= 1;
      if (this.#open === 0) for (const resolve of this.#idle.splice(0)) resolve();
    };
    // A reply ends when its last byte has gone out, not when its handler returns.
    ctx.res.once('close', end);
    await next();
  };

  /** Refuses new requests, and resolves when the last one has been answered. */
  drain(): Promise<void> {
    this.#draining = true;
    this.#leaving.abort();
    return this.#open === 0
      ? Promise.resolve()
      : new Promise((resolve) => void this.#idle.push(resolve));
  }
}
