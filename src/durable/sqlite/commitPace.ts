import type { CommitPlace } from '../../domain/commitPlaces.ts';

/** Commits that are looked at together. */
export const WINDOW = 8;
/** From this time on, ms, the wait is worth the way to another thread and back. */
export const SLOW_MS = 2;
/** Up to this time, ms, it is not. Between the two everything stays as it is. */
export const FAST_MS = 0.5;

/** Where commits wait from now on, and the shortest of the waits that say so, ms. */
export interface PaceChange {
  place: 'inline' | 'thread';
  ms: number;
}

/**
 * Chooses where commits wait for the disk. The shortest of the last waits decides: a single long one
 * may be a checkpoint, a large group, or a busy processor.
 */
export class CommitPace {
  readonly #isAuto: boolean;
  readonly #changed: (change: PaceChange) => void;
  #place: PaceChange['place'];
  #waits: number[] = [];

  constructor(wish: CommitPlace, changed: (change: PaceChange) => void = () => {}) {
    this.#isAuto = wish === 'auto';
    this.#place = wish === 'thread' ? 'thread' : 'inline';
    this.#changed = changed;
  }

  get place(): PaceChange['place'] {
    return this.#place;
  }

  /** What a commit has waited, ms. */
  waited(ms: number): void {
    if (!this.#isAuto) return;
    this.#waits.push(ms);
    if (this.#waits.length < WINDOW) return;
    const shortest = Math.min(...this.#waits);
    this.#waits.shift();
    const place = shortest >= SLOW_MS ? 'thread' : shortest <= FAST_MS ? 'inline' : this.#place;
    if (place === this.#place) return;
    this.#place = place;
    this.#waits = [];
    this.#changed({ place, ms: shortest });
  }
}
