import type { Clock } from '../../base/time/clock.ts';

/** Between the end of one reading and the next, ms. */
export const REFRESH_MS = 60_000;

/** A value and how old it is, seconds; null = it was never read. */
export interface KnownValue<Value> {
  value: Value;
  ageSeconds: number | null;
}

/**
 * What others answer, such as forges and disks, read again and again beside those who want to know
 * it: no one waits for them. A reading that fails or never ends leaves the last value, whose age grows.
 */
export class LastKnown<Value> {
  readonly #read: () => Promise<Value>;
  readonly #clock: Clock;
  #value: Value;
  #readAt: number | null = null;
  #cancel: () => void = () => {};
  #isStopped = false;

  /** `value`: until the first reading has ended. */
  constructor(value: Value, read: () => Promise<Value>, clock: Clock) {
    this.#value = value;
    this.#read = read;
    this.#clock = clock;
  }

  /** Reads it now, and from now on. Never rejects. */
  async begin(): Promise<void> {
    try {
      this.#value = await this.#read();
      this.#readAt = this.#clock.now();
    } catch {
      // Its age shows it.
    }
    if (this.#isStopped) return;
    this.#cancel = this.#clock.at(this.#clock.now() + REFRESH_MS, () => void this.begin());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  get known(): KnownValue<Value> {
    const at = this.#readAt;
    const ageSeconds = at === null ? null : Math.max(0, this.#clock.now() - at) / 1000;
    return { value: this.#value, ageSeconds };
  }
}
