import { closeSync, fdatasync, openSync } from 'node:fs';

/** As `fdatasync` of Node. */
export type SyncFile = (descriptor: number, done: (error: Error | null) => void) => void;

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * Brings the write-ahead log of an open database to the disk, on another thread, one sync at a time:
 * all that asked while one was under way share the next. SQLite has no lock on that file, so a second
 * descriptor of it may be closed.
 */
export class WalSync {
  readonly #file: string;
  readonly #sync: SyncFile;
  #descriptor: number | undefined;
  #waiting: Waiting[] = [];
  #isUnderWay = false;
  #isClosed = false;

  constructor(database: string, sync: SyncFile = fdatasync) {
    this.#file = `${database}-wal`;
    this.#sync = sync;
  }

  /** Whether something waits for the disk. */
  get isBusy(): boolean {
    return this.#isUnderWay;
  }

  /**
   * Resolves when all that has been written so far is on the disk, in the order of the calls. Rejects
   * with Node's error.
   */
  synced(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#isUnderWay) this.#begin();
    });
  }

  close(): void {
    this.#isClosed = true;
    if (this.#isUnderWay || this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #begin(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#isUnderWay = true;
    // Opened once: SQLite keeps the same file until the database is closed. For writing: Windows
    // syncs no other.
    this.#descriptor ??= openSync(this.#file, 'r+');
    this.#sync(this.#descriptor, (error) => {
      this.#isUnderWay = false;
      for (const { resolve, reject } of waiting) {
        if (error) reject(error);
        else resolve();
      }
      if (this.#waiting.length > 0) this.#begin();
      else if (this.#isClosed) this.close();
    });
  }
}
