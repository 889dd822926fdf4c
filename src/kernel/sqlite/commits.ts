import type { CommitPlace } from '../../base/settings/commitPlaces.ts';
import type { Batch } from '../writer.ts';
import { CommitPace, type PaceChange } from './commitPace.ts';
import type { Database } from './database.ts';
import { refuseNewerOwner, OWNER } from './refuseNewerOwner.ts';
import type { Statements } from './thread/statements.ts';
import { UnderWay } from './thread/underWay.ts';
import type { WriterThread } from './thread/writerThread.ts';

export interface CommitsOptions {
  /** Default inline. A database without a thread always writes in the main one. */
  place?: CommitPlace;
  /** Monotonic ms, for `auto`; default: always 0, as for a fast disk. */
  elapsed?(): number;
  /** Called when the place changes; default: nothing. */
  moved?(change: PaceChange): void;
  /** Called before a batch goes to the thread; default: nothing. */
  handingOver?(): void;
}

/**
 * Commits the kernel's batches in the main thread or the writing one. `underWay` has what is not
 * yet in the database; all other reads wait.
 */
export class Commits {
  readonly underWay = new UnderWay();
  readonly #db: Database;
  readonly #options: CommitsOptions;
  readonly #place: CommitPlace;
  readonly #pace: CommitPace;
  /** Number of a run of batches without a failure. */
  #run = 1;

  constructor(db: Database, options: CommitsOptions = {}) {
    this.#db = db;
    this.#options = options;
    this.#place = db.writer ? (options.place ?? 'inline') : 'inline';
    this.#pace = new CommitPace(this.#place, options.moved);
  }

  /**
   * Runs the statements of `write` in one transaction. It is on disk when this returns or the
   * promise resolves; promises resolve in order. `overlap`: the caller has other work meanwhile.
   * Throws or rejects with SvcError `store-failed`; a rejection also rejects all batches handed
   * over before it.
   */
  write(
    batch: Batch,
    write: (to: Statements) => void,
    overlap = false,
  ): undefined | Promise<undefined> {
    const { writer } = this.#db;
    if (writer && !this.#isInline(writer, overlap))
      return this.#onThread(writer, batch, write, overlap);
    this.#here(batch, write);
    return undefined;
  }

  #here({ generation }: Batch, write: (to: Statements) => void): void {
    const elapsed = this.#options.elapsed ?? (() => 0);
    let began = 0;
    this.#db.transaction(() => {
      refuseNewerOwner(this.#db.get(OWNER), generation);
      write(this.#db);
      began = elapsed();
    });
    this.#pace.waited(elapsed() - began);
  }

  #onThread(
    writer: WriterThread,
    batch: Batch,
    write: (to: Statements) => void,
    overlap: boolean,
  ): Promise<undefined> {
    try {
      write(writer.statements);
    } catch (error) {
      writer.statements.drop();
      throw error;
    }
    const run = this.#run;
    this.#options.handingOver?.();
    const { generation } = batch;
    const writing = writer.write({ generation, run });
    this.underWay.add(batch);
    return writing.then(
      (ms) => {
        this.underWay.written(batch);
        // A large group's time says nothing about a single event.
        if (!overlap) this.#pace.waited(ms);
        return undefined;
      },
      (error: unknown) => {
        if (run === this.#run) {
          this.#run += 1;
          this.underWay.clear();
        }
        throw error;
      },
    );
  }

  #isInline(writer: WriterThread, overlap: boolean): boolean {
    if (this.#place === 'inline' || writer.isLost) return true;
    if (this.#db.isBeingCopied) {
      // A copy restarts whenever another connection writes.
      writer.settle();
      return !writer.hasFailed(this.#run);
    }
    if (this.#place !== 'auto') return false;
    // Batches of the thread are answered before this one.
    if (this.#pace.place === 'inline' && !overlap && !writer.isBusy) return true;
    // Readers would wait for a thread that may never begin.
    return !writer.isReady();
  }
}
