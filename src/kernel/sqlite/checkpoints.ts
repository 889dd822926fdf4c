import { IN_MEMORY } from './openConnection.ts';
import type { Database } from './database.ts';
import { CHECKPOINT_PAGES } from './pair/pairRecorder.ts';
import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** Smaller logs are not worth it: a short run leaves no more than it wrote. 1 MiB. */
const FROM_BYTES = 1 << 20;
/** Zeros written at once. */
const SLICE = Buffer.alloc(1 << 20);

/**
 * Extends the write-ahead log's file to twice its used part, at most `limit` bytes, with zeros that
 * SQLite takes for the end. A commit that extends the file also waits for the file system's
 * journal, half as long again. Call it while SQLite is idle, since it writes that file too. Does
 * nothing without free space.
 */
export function makeLogSpace(database: string, usedBytes: number, limit: number): void {
  if (usedBytes < FROM_BYTES) return;
  const descriptor = openSync(`${database}-wal`, 'r+');
  const { size } = fstatSync(descriptor);
  const wantedBytes = Math.min(usedBytes * 2, limit);
  try {
    for (let at = size; at < wantedBytes; at += SLICE.length)
      writeSync(descriptor, SLICE, 0, Math.min(SLICE.length, wantedBytes - at), at);
  } catch {
    ftruncateSync(descriptor, size);
  }
  // Now, on another thread, and not as part of the next commit.
  if (size < wantedBytes) fdatasync(descriptor, () => closeSync(descriptor));
  else closeSync(descriptor);
}

/** After this long without a commit, no one waits for one, ms. */
const IDLE_MS = 200;
/** After this long the writing thread ends, which frees its heap and page cache, ms. */
const REST_MS = 60_000;
/** Fewer pages stay in the log: the next commits may change them again. 8 MiB. */
const WORTH_PAGES = 1_000;

/** Runs a callback after a delay (ms); returns a function that cancels it. */
export type Later = (run: () => void, ms: number) => () => void;

/**
 * Copies the write-ahead log into the database during idle time. Otherwise a burst fills the log
 * and the copy delays everyone waiting for a commit. The log's limit (see `Database`) still
 * applies.
 */
export class Checkpoints {
  readonly #db: Database;
  readonly #later: Later | undefined;
  #cancel: (() => void) | undefined;
  #hasWritten = false;
  #cancelRest: (() => void) | undefined;

  /** Without `later` only the log's limit counts. */
  constructor(db: Database, later?: Later) {
    this.#db = db;
    this.#later = db.file === IN_MEMORY ? undefined : later;
  }

  noteWrite(): void {
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
      // The disk is full or broken: everything is in the log, and the next commit reports it.
    }
  }
}
