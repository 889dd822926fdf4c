import type { CommitPlace } from '../../shared/settings/commitPlaces.ts';
import type { Batch } from '../writer.ts';
import { CommitPace, type PaceChange } from './commitPace.ts';
import type { Database } from './database.ts';
import { refuseNewerOwner, OWNER } from './refuseNewerOwner.ts';
import type { Statements } from './thread/statements.ts';
import { UnderWay } from './thread/underWay.ts';
import type { WriterThread } from './thread/writerThread.ts';

export interface CommitsOptions {
  /** Default inline. A database without a thread is always written in the main one. */
  place?: CommitPlace;
  /** Ms that only go up, for `auto`; default: always 0, which is a fast disk. */
  elapsed?(): number;
  /** Called when the place has changed; default: nothing. */
  moved?(change: PaceChange): void;
  /** Called before a batch is handed to the thread; default: nothing. */
  handingOver?(): void;
}

/**
 * Commits of the kernel's batches: in the main thread, or on the one that only writes. What the
 * thread has and the database has not is in `underWay`; all other reads wait for it.
 */
export class Commits {
  readonly underWay = new UnderWay();
  readonly #db: Database;
  readonly #options: CommitsOptions;
  readonly #place: CommitPlace;
  readonly #pace: CommitPace;
  /** A number of batches of which none has failed. */
  #run = 1;

  constructor(db: Database, options: CommitsOptions = {}) {
    this.#db = db;
    this.#options = options;
    this.#place = db.writer ? (options.place ?? 'inline') : 'inline';
    this.#pace = new CommitPace(this.#place, options.moved);
  }

  /**
   * Carries out a batch in one transaction: all that `write` runs. It is on the disk when this
   * returns, or when the promise resolves. `overlap`: the caller has other things to do while it is
   * written. Promises resolve in the order of the calls. Throws, or rejects with, SvcError
   * `store-failed`; after one that was rejected all that were handed over before its end are rejected too.
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
        // How long a large group takes says nothing about a single event.
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
      // A copy begins again whenever another connection has written.
      writer.settle();
      return !writer.hasFailed(this.#run);
    }
    if (this.#place !== 'auto') return false;
    // Those that the thread has are answered before this one.
    if (this.#pace.place === 'inline' && !overlap && !writer.isBusy) return true;
    // A batch is not given to a thread that may never begin: readers would wait for it.
    return !writer.isReady();
  }
}
