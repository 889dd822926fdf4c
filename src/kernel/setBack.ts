import type { KernelClock } from './contract.ts';

/** Smaller differences of the two clocks are adjustments, ms. */
const LEAST_MS = 60_000;

/** How far the time of day was set back while this process ran. */
export class SetBack {
  readonly #clock: KernelClock;
  /** The furthest that the time of day was ahead of the steady clock, ms. */
  #most = Number.NEGATIVE_INFINITY;

  constructor(clock: KernelClock) {
    this.#clock = clock;
    this.measure();
  }

  /** Milliseconds, 0 below a minute. A machine that slept, and a clock that is set forward, count as 0. */
  measure(): number {
    const steady = this.#clock.steady?.();
    if (steady === undefined) return 0;
    const lead = this.#clock.now() - steady;
    this.#most = Math.max(this.#most, lead);
    const back = this.#most - lead;
    return back < LEAST_MS ? 0 : back;
  }
}
