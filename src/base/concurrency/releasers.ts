import { toErrorMessage } from '../errors/errors.ts';

/** Acquired resources, which are released in the reverse order. */
export class Releasers {
  readonly #stack: { name: string; release: () => void | Promise<void> }[] = [];
  readonly #onError: (name: string, message: string) => void;

  constructor(onError: (name: string, message: string) => void) {
    this.#onError = onError;
  }

  add(name: string, release: () => void | Promise<void>): void {
    this.#stack.push({ name, release });
  }

  /** Releases all; one that throws is reported and does not keep the others from being released. */
  async releaseAll(): Promise<void> {
    for (let entry = this.#stack.pop(); entry; entry = this.#stack.pop()) {
      try {
        await entry.release();
      } catch (error) {
        this.#onError(entry.name, toErrorMessage(error));
      }
    }
  }
}
