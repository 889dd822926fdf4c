import type { RequestListener, ServerResponse } from 'node:http';

/** Requests of this process itself, which no connection of the port carries. */
export class OwnRequests {
  readonly #listener: RequestListener;
  readonly #open = new Set<ServerResponse>();
  #idle: (() => void)[] = [];

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  readonly answer: RequestListener = (req, res) => {
    this.#open.add(res);
    res.once('close', () => {
      this.#open.delete(res);
      if (this.#open.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    });
    this.#listener(req, res);
  };

  /** Resolves when none is being answered. */
  idle(): Promise<void> {
    return this.#open.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => void this.#idle.push(resolve));
  }

  /** Ends those that are still being answered. */
  cut(): void {
    for (const res of this.#open) res.destroy();
  }
}
