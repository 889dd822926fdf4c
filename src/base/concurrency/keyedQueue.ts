/**
 * Runs acts on the same thing in sequence, in the order in which they were asked for; acts on
 * different things run side by side. An act that fails does not keep the next from running.
 */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Resolves with what `act` returns, once all earlier acts on `key` are over. */
  run<T>(key: string, act: () => Promise<T>): Promise<T> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(act);
    const tail = result
      .catch(() => undefined)
      .then(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    this.#tails.set(key, tail);
    return result;
  }
}
