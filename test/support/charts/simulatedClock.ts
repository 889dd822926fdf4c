import type { Clock } from '../../../src/base/time/clock.ts';

/** Where a simulation begins unless it says otherwise, epoch ms. */
export const SIMULATION_BEGINS = Date.UTC(2026, 0, 1);

/** A clock that moves only when it is moved; timers run in the order of their time. */
export class SimulatedClock implements Clock {
  #now: number;
  #serial = 0;
  #timers: { at: number; serial: number; run: () => void }[] = [];

  constructor(startMs = SIMULATION_BEGINS) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  at(atMs: number, run: () => void): () => void {
    const timer = { at: atMs, serial: this.#serial++, run };
    this.#timers.push(timer);
    this.#timers.sort((a, b) => a.at - b.at || a.serial - b.serial);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#timers[0]; next && next.at <= end; next = this.#timers[0]) {
      this.#timers.shift();
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  /** Moves the time on to the earliest timer and runs it alone; false where none waits. */
  runNext(): boolean {
    const next = this.#timers.shift();
    if (!next) return false;
    this.#now = Math.max(this.#now, next.at);
    next.run();
    return true;
  }

  /** Whether a timer runs when the clock is advanced by `ms`. */
  isDueWithin(ms: number): boolean {
    return this.#timers.some(({ at }) => at <= this.#now + ms);
  }

  get waiting(): number {
    return this.#timers.length;
  }
}
