import type { Clock } from '../../base/time/clock.ts';

const SECOND_MS = 1_000;

/** Admits so many a second, and so many in all. Those of a node that has died come back at once, and each one costs a few statements. */
export class Admission {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #most: number;
  #left: number;
  #at: number;

  constructor(clock: Clock, { perSecond, most }: { perSecond: number; most: number }) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#most = most;
    this.#left = perSecond;
    this.#at = clock.now();
  }

  /** `open`: how many exist already. */
  admit(open: number): boolean {
    if (open >= this.#most) return false;
    const now = this.#clock.now();
    const refill = ((now - this.#at) / SECOND_MS) * this.#perSecond;
    // A clock that was set back admits as if no time had passed.
    this.#left = Math.min(this.#perSecond, this.#left + Math.max(0, refill));
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
