import { IN_MEMORY } from './openConnection.ts';
import type { Database } from './database.ts';
import { makeLogSpace } from './logSpace.ts';
import { CHECKPOINT_PAGES } from './pair/pairRecorder.ts';

/** Without a commit for this long, no one waits for one, ms. */
const IDLE_MS = 200;
/** After this, ms, the thread that writes ends: it keeps a heap and a page cache of its own. */
const REST_MS = 60_000;
/** Fewer pages stay in the log: the next commits may change the same ones again. 8 MiB. */
const WORTH_PAGES = 1_000;

/** Runs a callback after a delay in ms; returns a function that cancels it. */
export type Later = (run: () => void, ms: number) => () => void;

/**
 * Copies the write-ahead log into the database while nothing is written. A burst fills the log several
 * times over; otherwise it is copied in the middle of a commit, and all that wait for that
 * commit wait for the copy. The log's limit (see `Database`) holds in any case.
 */
export class Checkpoints {
  readonly #db: Database;
  readonly #later: Later | undefined;
  #cancel: (() => void) | undefined;
  #hasWritten = false;
  #cancelRest: (() => void) | undefined;

  /** Without `later` only the limit of the log counts. */
  constructor(db: Database, later?: Later) {
    this.#db = db;
    this.#later = db.file === IN_MEMORY ? undefined : later;
  }

  /** There was a commit. */
  written(): void {
    this.#hasWritten = true;
    this.#cancelRest?.();
    this.#cancelRest = undefined;
    if (!this.#cancel) this.#wait();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancelRest?.();
  }

  #wait(): void {
    this.#cancel = this.#later?.(() => this.#look(), IDLE_MS);
  }

  #look(): void {
    this.#cancel = undefined;
    if (this.#hasWritten) {
      this.#hasWritten = false;
      this.#wait();
      return;
    }
    const { writer } = this.#db;
    if (writer) this.#cancelRest = this.#later?.(() => writer.rest(), REST_MS);
    try {
      const { all, left } = this.#db.logPages();
      if (left >= WORTH_PAGES) this.#db.checkpoint();
      makeLogSpace(this.#db.file, this.#db.logBytes(all), this.#db.logBytes(CHECKPOINT_PAGES));
    } catch {
      // A disk that is full or broken: all is in the log, and the next commit says what is wrong.
    }
  }
}
