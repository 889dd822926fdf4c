import type { Clock } from '../../../src/base/time/clock.ts';

interface Event {
  atMs: number;
  run: () => void;
}

/** A clock that moves from one event to the next; what follows from an event without waiting happens before the next one. */
export class VirtualTime implements Clock {
  #nowMs = 0;
  readonly #events: Event[] = [];

  now(): number {
    return this.#nowMs;
  }

  at(atMs: number, run: () => void): () => void {
    const event = { atMs: Math.max(atMs, this.#nowMs), run };
    const place = this.#events.findLastIndex((one) => one.atMs <= event.atMs);
    this.#events.splice(place + 1, 0, event);
    return () => {
      const index = this.#events.indexOf(event);
      if (index >= 0) this.#events.splice(index, 1);
    };
  }

  after(ms: number, run: () => void): void {
    this.at(this.#nowMs + ms, run);
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  async runUntil(endMs: number): Promise<void> {
    for (;;) {
      const next = this.#events[0];
      if (next === undefined || next.atMs > endMs) break;
      this.#events.shift();
      this.#nowMs = next.atMs;
      next.run();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#nowMs = endMs;
  }
}
