import { setTimeout as wait } from 'node:timers/promises';

/** The first pause and the longest one, ms, and by how much each is longer than the one before. */
const FIRST_MS = 20;
const MOST_MS = 150;
const GROWTH = 1.4;

/**
 * Pauses between looks at a runner that works: each look takes five milliseconds of a processor from
 * it, so that pauses grow while something takes long.
 */
export class Looks {
  #next = FIRST_MS;

  async pause(): Promise<void> {
    await wait(this.#next);
    this.#next = Math.min(MOST_MS, this.#next * GROWTH);
  }
}
