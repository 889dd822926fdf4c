import type { Clock } from '../../base/time/clock.ts';

const SECOND_MS = 1_000;

/**
 * So much a second, on average. What is more waits and is never refused: one large thing may use up the seconds to come.
 */
export class Pace {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #perSecond: number;
  #left: number;
  #at: number;

  constructor(clock: Pick<Clock, 'now'>, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#left = perSecond;
    this.#at = clock.now();
  }

  /** Uses it up, and gives how long to wait before the next, ms. */
  use(amount: number): number {
    const now = this.#clock.now();
    // A clock that was set back counts as if no time had passed.
    const refill = (Math.max(0, now - this.#at) / SECOND_MS) * this.#perSecond;
    this.#left = Math.min(this.#perSecond, this.#left + refill) - amount;
    this.#at = now;
    return this.#left >= 0 ? 0 : (-this.#left / this.#perSecond) * SECOND_MS;
  }
}
