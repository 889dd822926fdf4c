import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { backup } from '@photostructure/sqlite';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { toSharedAddress, type Connection, CONNECTION, openConnection } from './openConnection.ts';
import { markOpen } from './pair/checkPair.ts';
import type { PairRecorder } from './pair/pairRecorder.ts';
import type { SqlValue } from './toSqlValue.ts';
import { FULL, createStoreFailure } from './createStoreFailure.ts';
import { type ThreadProgram, WriterThread } from './thread/writerThread.ts';

type Statement = ReturnType<Connection['prepare']>;

/** `auto_vacuum` of a file that gives its space back on request. */
const INCREMENTAL = 2;
/** Pages per step when copying the open database: 1.6 MB. */
const COPIED_PAGES = 200;
/** Bytes at the start of a WAL, and before each of its pages. */
const WAL_HEAD = 32;
const FRAME_HEAD = 24;
/** The driver's words for a whole number too large for JavaScript. */
const BEYOND_2_53 = 'too large to be represented as a JavaScript number';
/** Time between attempts to leave the log, ms, and their number. */
const LEAVE_MS = 2;
const LEAVE_ATTEMPTS = 2_000;

/**
 * The main thread's connection. Turns failures into SvcError `store-failed`, so that no caller has
 * to know SQLite's errors.
 */
export class Database {
  readonly file: string;
  /** Writes to the same file; undefined = only this connection does. */
  readonly writer: WriterThread | undefined;
  // Keeps the connection: referenced only by statements, it would be collected under them.
  readonly #db: Connection;
  readonly #statements = new Map<string, Statement>();
  /** undefined = no file. */
  readonly #recorder: PairRecorder | undefined;
  readonly #copies = new Set<Promise<unknown>>();

  /**
   * Opens or creates the file (0600; a new folder 0700) for this process alone. `thread`: a
   * thread's program that can also write; not on Windows. Throws SvcError `locked` if another
   * connection has it.
   */
  constructor(file: string, thread?: ThreadProgram) {
    this.file = file;
    const { db, recorder } = openConnection(file, thread !== undefined);
    this.#db = db;
    this.#recorder = recorder;
    if (thread)
      this.writer = new WriterThread(thread, {
        file,
        address: toSharedAddress(file).href,
        pragmas: CONNECTION,
        failure: (error) => createStoreFailure('write', file, error),
      });
  }

  /** The file is being copied in steps; writes of another connection would restart that. */
  get isBeingCopied(): boolean {
    return this.#copies.size > 0;
  }

  exec(sql: string): void {
    try {
      this.writer?.settle();
      this.#db.exec(sql);
    } catch (error) {
      throw createStoreFailure('write', this.file, error);
    }
  }

  run(sql: string, ...values: (SqlValue | Uint8Array)[]): number {
    try {
      this.writer?.settle();
      return this.#statement(sql).run(...values).changes;
    } catch (error) {
      throw createStoreFailure('write', this.file, error);
    }
  }

  /** Whole numbers beyond 2^53 become the nearest number, which is not a safe integer. */
  get(sql: string, ...values: SqlValue[]): Record<string, unknown> | undefined {
    this.writer?.settle();
    return this.getNow(sql, ...values);
  }

  /** Does not wait for the thread: only for rows that it is not about to write. */
  getNow(sql: string, ...values: SqlValue[]): Record<string, unknown> | undefined {
    return this.#read(sql, (statement) => statement.get(...values));
  }

  /** As {@link get}, for all rows. */
  all(sql: string, ...values: SqlValue[]): Record<string, unknown>[] {
    this.writer?.settle();
    return this.#read(sql, (statement) => statement.all(...values));
  }

  /**
   * The driver refuses a whole result for one number beyond 2^53; it is then read again, slowly.
   */
  #read<Result extends object | undefined>(
    sql: string,
    read: (statement: Statement) => Result,
  ): Result {
    try {
      return read(this.#statement(sql));
    } catch (error) {
      if (!toErrorMessage(error).includes(BEYOND_2_53))
        throw createStoreFailure('read', this.file, error);
    }
    try {
      const statement = this.#db.prepare(sql);
      statement.setReadBigInts(true);
      return replaceBigInts(read(statement));
    } catch (error) {
      throw createStoreFailure('read', this.file, error);
    }
  }

  /**
   * All or nothing; on disk when this returns. `recordsLater`: the manifest counts it a moment later, before whatever
   * waits for a promise continues; it may lag behind the log.
   */
  transaction(write: () => void, recordsLater = false): void {
    this.run('BEGIN IMMEDIATE');
    try {
      write();
      this.run('COMMIT');
      if (recordsLater) queueMicrotask(() => this.#recordUnlessBusy());
      else this.#recorder?.noteCommit();
    } catch (error) {
      // After some failures, such as a full disk, SQLite has already rolled back.
      if (this.#db.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  /** A thread that was given a batch meanwhile records all commits itself. */
  #recordUnlessBusy(): void {
    if (this.writer?.isBusy !== true) this.#recorder?.noteCommit();
  }

  /**
   * Rewrites a file of version 24 or older once so that it can give space back; takes as long as a
   * copy and twice the space. On a full disk the file stays and the next start retries. `before`:
   * called before a rewrite.
   */
  ableToShrink(before: () => void = () => {}): void {
    if (this.get('PRAGMA auto_vacuum')?.auto_vacuum === INCREMENTAL) return;
    before();
    try {
      this.run('VACUUM');
    } catch (error) {
      if (!FULL.test(toErrorMessage(error))) throw error;
    }
  }

  /** Gives up to `pages` free pages back to the disk; returns the free bytes left. */
  giveBack(pages: number): number {
    // Not a statement: one step of it gives back only one page.
    this.exec(`PRAGMA incremental_vacuum(${pages})`);
    return this.freeBytes();
  }

  /** Pages in the WAL, and those not yet in the file. */
  logPages(): { all: number; left: number } {
    const { log, checkpointed } = this.get('PRAGMA wal_checkpoint(NOOP)') ?? {};
    return { all: Number(log), left: Number(log) - Number(checkpointed) };
  }

  /** Bytes of a WAL with this many pages. */
  logBytes(pages: number): number {
    const { page_size: pageBytes } = this.get('PRAGMA page_size') ?? {};
    return WAL_HEAD + pages * (Number(pageBytes) + FRAME_HEAD);
  }

  /** Copies the WAL, at most 48 MiB, into the file. */
  checkpoint(): void {
    this.#withLog((recorder) => recorder.checkpoint());
  }

  /** Copies all of the WAL into the file, syncs it and restarts the WAL. */
  emptyWal(): void {
    this.#withLog((recorder) => recorder.emptyLog());
  }

  #withLog(act: (recorder: PairRecorder) => void): void {
    if (!this.#recorder) return;
    try {
      this.writer?.settle();
      act(this.#recorder);
    } catch (error) {
      throw createStoreFailure('write', this.file, error);
    }
  }

  /**
   * Whether commits wait for the disk, as they do after opening. Without this the file is an
   * earlier state after a power loss; copies of the WAL wait for the disk all the same.
   */
  syncCommits(isOn: boolean): void {
    this.exec(`PRAGMA synchronous = ${isOn ? 'FULL' : 'NORMAL'}`);
    this.#withLog((recorder) => recorder.syncCommits(isOn));
  }

  freeBytes(): number {
    const free = Number(this.get('PRAGMA freelist_count')?.freelist_count);
    return free * Number(this.get('PRAGMA page_size')?.page_size);
  }

  /** Makes a consistent copy (0600), complete or none; replaces an earlier one. */
  copyTo(file: string): void {
    const draft = `${file}.draft`;
    rmSync(draft, { force: true });
    const descriptor = openSync(draft, 'w', 0o600);
    try {
      this.run('VACUUM INTO ?', draft);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  }

  /** The same into an existing file, in steps between which the database can be used. */
  async copyOpenTo(file: string): Promise<void> {
    let copying: Promise<unknown> | undefined;
    try {
      this.writer?.settle();
      copying = backup(this.#db, file, { rate: COPIED_PAGES });
      this.#copies.add(copying);
      await copying;
    } catch (error) {
      throw createStoreFailure('read', this.file, error);
    } finally {
      if (copying) this.#copies.delete(copying);
    }
  }

  /** Resolves when no copy is being made. Never rejects. */
  async waitForCopies(): Promise<void> {
    while (this.isBeingCopied) await Promise.allSettled(this.#copies);
  }

  /** While a copy is being made, the file is closed at its end. */
  close(): void {
    // The driver copies on another thread, which would continue to read a closed connection and crash.
    if (this.isBeingCopied) {
      void this.waitForCopies().then(() => this.close());
      return;
    }
    this.writer?.close();
    this.#statements.clear();
    // The driver's connection lives until its statements are collected; its lock must not, and ends
    // only after WAL is left.
    this.#recorder?.end();
    this.#leaveWal();
    this.#recorder?.close();
    this.#db.close();
    markOpen(this.file, false);
  }

  /** Ends the thread's connection, without which no other can leave WAL. */
  #leaveWal(): void {
    for (let attempt = 1; ; attempt++)
      try {
        this.#db.exec('PRAGMA journal_mode = DELETE');
        break;
      } catch (error) {
        if (!this.writer || attempt === LEAVE_ATTEMPTS) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LEAVE_MS);
      }
    this.#recorder?.noteEnd();
    this.#db.exec('PRAGMA locking_mode = NORMAL; BEGIN IMMEDIATE; COMMIT');
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Reads rows of a state; whole numbers beyond 2^53 become the nearest number. */
export type StateReader = Pick<Database, 'all' | 'get'>;

export function replaceBigInts<Result extends object | undefined>(result: Result): Result {
  for (const row of [result].flat())
    for (const [name, value] of Object.entries(row ?? {}))
      if (typeof value === 'bigint') Reflect.set(row ?? {}, name, Number(value));
  return result;
}
