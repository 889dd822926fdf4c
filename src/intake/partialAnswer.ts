import type { Clock } from '../shared/time/clock.ts';

/** Shortest time between two times that an answer is stored while it comes, ms. */
export const STORE_EVERY_MS = 500;

/**
 * Stores what a turn has said so far: at most each {@link STORE_EVERY_MS}, one write at a time. What
 * a crash loses of an answer is what came since.
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

  /** Something has come. */
  note(): void {
    this.#isDirty = true;
    this.#cancel ??= this.#clock.at(this.#clock.now() + STORE_EVERY_MS, () => {
      this.#cancel = null;
      void this.now();
    });
  }

  /** Stores it now, if something has come. */
  async now(): Promise<void> {
    if (this.#writing) await this.#writing;
    if (!this.#isDirty) return;
    this.#isDirty = false;
    this.#writing = this.#store().catch(this.#onError);
    await this.#writing;
    this.#writing = null;
  }

  /** Nothing more is stored; resolves when what is on its way is. */
  async end(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    this.#isDirty = false;
    await this.#writing;
  }
}
