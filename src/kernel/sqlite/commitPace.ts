import type { CommitPlace } from '../../shared/settings/commitPlaces.ts';

/** Commits that are checked together. */
export const WINDOW = 64;
/** Of their waits, this many are shorter than the one that decides. */
export const SHORTER = 3;
/** From this time on, ms, the wait is worth the way to another thread and back. */
export const SLOW_MS = 2;
/** Up to this time, ms, it is not. Between the two everything stays as it is. */
export const FAST_MS = 0.5;

/** Where commits wait from now on, and the wait that decided it, ms. */
export interface PaceChange {
  place: 'inline' | 'thread';
  ms: number;
}

/**
 * Chooses where commits wait for the disk. One of the shortest waits decides: long ones may be
 * checkpoints, large groups, or a busy processor, and a few are short because another write has
 * synced the log meanwhile.
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
    const short = this.#waits.sort((a, b) => a - b)[SHORTER] ?? 0;
    this.#waits = [];
    const place = short >= SLOW_MS ? 'thread' : short <= FAST_MS ? 'inline' : this.#place;
    if (place === this.#place) return;
    this.#place = place;
    this.#changed({ place, ms: short });
  }
}
