import type { CommittedWork } from './work.ts';
import type { ActorRow, DurableStore } from './writer.ts';

/**
 * Commits reported as failed that may have been written all the same, because the disk took them
 * later. What follows from a written one must still be done.
 */
export class DoubtfulCommits {
  readonly #store: DurableStore;
  #commits: CommittedWork[] = [];

  constructor(store: DurableStore) {
    this.#store = store;
  }

  get isEmpty(): boolean {
    return this.#commits.length === 0;
  }

  add(work: CommittedWork): void {
    this.#commits.push(work);
  }

  /**
   * The written ones in order; the others are forgotten. Must be called before anything else is
   * stepped, since later steps change the actors' numbers. Throws, and forgets nothing, while the
   * store cannot be read.
   */
  settle(): CommittedWork[] {
    const committedWorks = this.#commits.filter(
      ({ batch: { actors } }) =>
        // A commit without actors began nothing that its caller would not repeat.
        actors.length > 0 && actors.every((row) => this.#has(row)),
    );
    this.#commits = [];
    return committedWorks;
  }

  /** A commit that only adds lines keeps `seq`. */
  #has({ id, seq, frameSeq }: ActorRow): boolean {
    const row = this.#store.actor(id);
    return row !== undefined && row.seq >= seq && row.frameSeq >= frameSeq;
  }
}
