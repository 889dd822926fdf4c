import type { Clock } from '../base/time/clock.ts';

/** Shortest interval at which a growing answer is stored, ms. */
export const STORE_EVERY_MS = 500;

/**
 * Stores the answer of a running turn: at most every {@link STORE_EVERY_MS}, one write at a time. A
 * crash loses only the text since then.
 */
export class PartialAnswer {
  readonly #clock: Clock;
  readonly #store: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #writing: Promise<void> | null = null;
  #isDirty = false;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, store: () => Promise<void>, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#store = store;
    this.#onError = onError;
  }

  note(): void {
    this.#isDirty = true;
    this.#cancel ??= this.#clock.at(this.#clock.now() + STORE_EVERY_MS, () => {
      this.#cancel = null;
      void this.now();
    });
  }

  async now(): Promise<void> {
    if (this.#writing) await this.#writing;
    if (!this.#isDirty) return;
    this.#isDirty = false;
    this.#writing = this.#store().catch(this.#onError);
    await this.#writing;
    this.#writing = null;
  }

  /** Stores nothing more; resolves when pending writes are done. */
  async end(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    this.#isDirty = false;
    await this.#writing;
  }
}
