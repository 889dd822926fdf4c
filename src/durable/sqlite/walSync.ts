import { closeSync, fdatasync, openSync } from 'node:fs';

/** As `fdatasync` of Node. */
export type SyncFile = (descriptor: number, done: (error: Error | null) => void) => void;

/**
 * Brings the write-ahead log of an open database to the disk, on another thread. SQLite has no lock
 * on that file, so a second descriptor of it may be closed.
 */
export class WalSync {
  readonly #file: string;
  readonly #sync: SyncFile;
  #descriptor: number | undefined;
  #underWay = 0;
  #isClosed = false;

  constructor(database: string, sync: SyncFile = fdatasync) {
    this.#file = `${database}-wal`;
    this.#sync = sync;
  }

  /** Resolves when all that has been written so far is on the disk. Rejects with Node's error. */
  synced(): Promise<void> {
    // Opened once: SQLite keeps the same file until the database is closed. For writing: Windows
    // syncs no other.
    this.#descriptor ??= openSync(this.#file, 'r+');
    const descriptor = this.#descriptor;
    this.#underWay += 1;
    return new Promise((resolve, reject) =>
      this.#sync(descriptor, (error) => {
        this.#underWay -= 1;
        if (this.#isClosed) this.close();
        if (error) reject(error);
        else resolve();
      }),
    );
  }

  close(): void {
    this.#isClosed = true;
    if (this.#underWay > 0 || this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
