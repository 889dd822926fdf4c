import type { CommitPlace } from '../../domain/commitPlaces.ts';
import { CommitPace, type PaceChange } from './commitPace.ts';
import { type Database, IN_MEMORY } from './database.ts';
import { type SyncFile, WalSync } from './walSync.ts';

export interface CommitsOptions {
  /** Default inline. A database in memory has no disk to wait for. */
  place?: CommitPlace;
  /** Ms that only go up, for `auto`; default: always 0, which is a fast disk. */
  elapsed?(): number;
  /** Called when the place has changed; default: nothing. */
  moved?(change: PaceChange): void;
  /** Called between a commit and the hand-over of its wait to another thread; default: nothing. */
  handingOver?(): void;
  /** For tests of disks that fail. */
  sync?: SyncFile;
}

/**
 * Commits of the kernel's batches. SQLite writes them in the main thread, over the one connection;
 * what may happen on another thread is the wait until the disk has them.
 */
export class Commits {
  readonly #db: Database;
  readonly #options: CommitsOptions;
  readonly #place: CommitPlace;
  readonly #pace: CommitPace;
  readonly #wal: WalSync;
  /** A wait has failed: what SQLite shows may not be on the disk. */
  #isUncertain = false;

  constructor(db: Database, options: CommitsOptions = {}) {
    this.#db = db;
    this.#options = options;
    this.#place = db.file === IN_MEMORY ? 'inline' : (options.place ?? 'inline');
    this.#pace = new CommitPace(this.#place, options.moved);
    this.#wal = new WalSync(db.file, options.sync);
  }

  /**
   * Carries out a batch in one transaction. It is on the disk when this returns, or when the promise
   * resolves; readers may see it before that. `overlap`: the caller has other things to do while the
   * disk takes it. Promises resolve in the order of the calls. Throws, or rejects with, SvcError
   * `store-failed`.
   */
  write(batch: () => void, overlap = false): undefined | Promise<undefined> {
    this.beCertain();
    const inline = this.#isInline(overlap);
    const elapsed = this.#options.elapsed ?? (() => 0);
    let began = 0;
    const timed = () => {
      batch();
      began = elapsed();
    };
    this.#db.transaction(timed, inline);
    if (inline) {
      this.#pace.waited(elapsed() - began);
      return undefined;
    }
    this.#options.handingOver?.();
    return this.#wal.synced().then(
      () => {
        // With an overlap it is the caller that may have taken so long.
        if (!overlap) this.#pace.waited(elapsed() - began);
        this.beCertain();
        return undefined;
      },
      () => {
        this.#isUncertain = true;
        this.beCertain();
        return undefined;
      },
    );
  }

  /**
   * After a wait that has failed, brings all to the disk in another way: the log is copied into the
   * database. Until that succeeds, it throws SvcError `store-failed`. Otherwise it does nothing.
   */
  beCertain(): void {
    if (!this.#isUncertain) return;
    this.#db.emptyWal();
    this.#isUncertain = false;
  }

  #isInline(overlap: boolean): boolean {
    if (this.#place !== 'auto') return this.#place === 'inline';
    // Those that wait on another thread are answered before this one.
    return this.#pace.place === 'inline' && !overlap && !this.#wal.isBusy;
  }

  close(): void {
    this.#wal.close();
  }
}
