import type { KernelClock } from '../../kernel/contract.ts';

/** A clock that does not move by itself; timers run in the order of their time. */
export class SimulationClock implements KernelClock {
  #now: number;
  #timers: { at: number; run: () => void }[] = [];

  constructor(startMs: number) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  at(atMs: number, run: () => void): () => void {
    const timer = { at: atMs, run };
    this.#timers = [...this.#timers, timer].sort((a, b) => a.at - b.at);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves on to a time, never back; what falls due on the way runs with its own time. */
  moveTo(atMs: number): void {
    for (let next = this.#timers[0]; next && next.at <= atMs; next = this.#timers[0]) {
      this.#timers.shift();
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = Math.max(this.#now, atMs);
  }
}
