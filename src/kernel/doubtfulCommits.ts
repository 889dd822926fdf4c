import type { CommittedWork } from './work.ts';
import type { ActorRow, DurableStore } from './writer.ts';

/**
 * Commits that were called failed and may have been written all the same: a disk that refused them took
 * them later. What follows from one that was written is still to be done.
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

  add(committed: CommittedWork): void {
    this.#commits.push(committed);
  }

  /**
   * Those that were written, in their order; the others are forgotten. To be asked before anything
   * else is stepped: until then the numbers of an actor say it. Throws, and forgets nothing,
   * while the store cannot be read.
   */
  settled(): CommittedWork[] {
    const written = this.#commits.filter(
      ({ batch: { actors } }) =>
        // One without actors has begun nothing that its caller would not repeat.
        actors.length > 0 && actors.every((row) => this.#has(row)),
    );
    this.#commits = [];
    return written;
  }

  /** A commit that only adds lines leaves `seq` as it was. */
  #has({ id, seq, frameSeq }: ActorRow): boolean {
    const stored = this.#store.actor(id);
    return stored !== undefined && stored.seq >= seq && stored.frameSeq >= frameSeq;
  }
}
