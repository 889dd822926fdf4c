import type { CommitPlace } from '../../base/settings/commitPlaces.ts';

/** Commits per check. */
export const WINDOW = 64;
/** How many of their waits are shorter than the deciding one. */
export const SHORTER = 3;
/** From this wait on, another thread is worth it, ms. */
export const SLOW_MS = 2;
/** Up to this wait it is not, ms. In between nothing changes. */
export const FAST_MS = 0.5;

/** Where commits wait now, and the wait that decided it, ms. */
export interface PaceChange {
  place: 'inline' | 'thread';
  ms: number;
}

/**
 * Chooses where commits wait for the disk, by one of the shortest waits: long ones may be
 * checkpoints, large groups or a busy processor, and the shortest may have been synced by another
 * write.
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
