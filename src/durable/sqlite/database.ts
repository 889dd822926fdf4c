import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from '@photostructure/sqlite';
import { foldedText } from '../../domain/foldedText.ts';
import { messageOf, SvcError } from '../../lib/errors.ts';

/** What can be bound to a statement. */
export type SqlValue = string | number | bigint | null;

type Connection = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<Connection['prepare']>;

/** Before this release a WAL reset could corrupt a database. */
const OLDEST_SQLITE = [3, 51, 3] as const;
/** Page cache, KiB. */
const CACHE_KIB = 16_384;
/**
 * Of a new file. Most actors with their snapshot fit into one page; with 4 KiB a step costs a tenth
 * more.
 */
const PAGE_BYTES = 8_192;
/** SQLite's name for a database that is no file. */
export const IN_MEMORY = ':memory:';

/** What SQLite says of a file with wrong bytes in it. */
const DAMAGED = /malformed|not a database/;
/** What it says of a disk without space. */
const FULL = /disk is full|disk I\/O error/;
/** A file that gives its space back when it is asked to. */
const INCREMENTAL = 2;
const DAMAGE_ADVICE =
  'It is damaged, or no store of svc, and was left as it is. Stop the runner, keep a copy of the file, and put a good one back; `sqlite3 <file> .recover` saves what is whole';
const FULL_ADVICE =
  'The disk is full, and nothing of this was written. What was acknowledged before is kept. Free some space; the runner continues by itself';
/** Pages that a copy of the open database takes at once: 1.6 MB. */
const COPIED_PAGES = 200;
/** Pages in the WAL at which a commit copies it into the database: 48 MiB. Usually it is idle time that does. */
export const CHECKPOINT_PAGES = 6_000;
/** Bytes at the start of a WAL, and before each of its pages. */
const WAL_HEAD = 32;
const FRAME_HEAD = 24;

/**
 * The one connection and the only user of the driver. Failures become SvcError `store-failed` here,
 * so that no caller has to know SQLite's errors.
 */
export class Database {
  readonly file: string;
  // A connection that only its statements refer to is garbage-collected under them.
  readonly #db: Connection;
  readonly #statements = new Map<string, Statement>();

  /**
   * Opens or creates the file (0600, in a folder of 0700 where that is new) and takes it for this
   * process alone. Throws SvcError `locked` where another connection has it.
   */
  constructor(file: string) {
    this.file = file;
    const memory = file === IN_MEMORY;
    try {
      if (!memory) {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        // SQLite gives its -wal the mode of the database. A file that exists is not opened: closing
        // it would end the locks that this process has on it.
        if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
        chmodSync(file, 0o600);
      }
      // Nothing waits for a lock: the one that is taken here is kept until the end.
      this.#db = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 0 });
    } catch (error) {
      throw this.#failure('open', error);
    }
    try {
      // The exclusive lock before WAL: then there is no shared-memory file.
      if (!memory) this.#db.exec('PRAGMA locking_mode = EXCLUSIVE');
      this.#db.exec(
        `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`,
      );
      this.#db.exec(
        `PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; BEGIN IMMEDIATE; COMMIT`,
      );
    } catch (error) {
      this.#db.close();
      if (messageOf(error).includes('locked'))
        throw new SvcError('locked', `${file} is in use`, { cause: error });
      throw this.#failure('open', error);
    }
    // What migrations need and SQL has not.
    this.#db.function('folded', { deterministic: true }, (text: string) => foldedText(text));
    this.#db.function(
      'first_line',
      { deterministic: true },
      (text: string, otherwise: string) => text.split('\n', 1)[0]?.trim() || otherwise,
    );
    const version = String(this.get('SELECT sqlite_version() AS version')?.version);
    if (!recent(version)) {
      this.#db.close();
      throw new SvcError(
        'store-failed',
        `SQLite ${version} is too old; ${OLDEST_SQLITE.join('.')} or newer is required`,
      );
    }
  }

  exec(sql: string): void {
    try {
      this.#db.exec(sql);
    } catch (error) {
      throw this.#failure('write', error);
    }
  }

  run(sql: string, ...values: SqlValue[]): number {
    try {
      return this.#statement(sql).run(...values).changes;
    } catch (error) {
      throw this.#failure('write', error);
    }
  }

  get(sql: string, ...values: SqlValue[]): Record<string, unknown> | undefined {
    try {
      return this.#statement(sql).get(...values);
    } catch (error) {
      throw this.#failure('read', error);
    }
  }

  all(sql: string, ...values: SqlValue[]): Record<string, unknown>[] {
    try {
      return this.#statement(sql).all(...values);
    } catch (error) {
      throw this.#failure('read', error);
    }
  }

  /**
   * All of it or nothing. It is on the disk when this returns, unless `synced` is false: then it is
   * in the write-ahead log, which is to be synced.
   */
  transaction(write: () => void, synced = true): void {
    // Not a statement: SQLite obeys it when it is prepared, and outside of transactions alone.
    if (!synced) this.exec('PRAGMA synchronous = NORMAL');
    try {
      this.run('BEGIN IMMEDIATE');
      try {
        write();
        this.run('COMMIT');
      } catch (error) {
        // After some failures (a full disk) SQLite has rolled back by itself.
        if (this.#db.isTransaction) this.run('ROLLBACK');
        throw error;
      }
    } finally {
      if (!synced) this.exec('PRAGMA synchronous = FULL');
    }
  }

  /**
   * Makes a file of version 24 or older able to give space back: it is written again, once, which
   * takes as long as a copy and twice the space. A disk that is too full for that keeps the file as
   * it is: the next start tries again. `before`: called where it is written again.
   */
  ableToShrink(before: () => void = () => {}): void {
    if (this.get('PRAGMA auto_vacuum')?.auto_vacuum === INCREMENTAL) return;
    before();
    try {
      this.run('VACUUM');
    } catch (error) {
      if (!FULL.test(messageOf(error))) throw error;
    }
  }

  /** Gives up to `pages` free pages back to the disk; answers how many bytes are free after that. */
  giveBack(pages: number): number {
    // Not a statement: one step of it gives back one page.
    this.exec(`PRAGMA incremental_vacuum(${pages})`);
    return this.freeBytes();
  }

  /** Pages in the WAL, and how many of them are not yet in the file. */
  logPages(): { all: number; left: number } {
    const { log, checkpointed } = this.get('PRAGMA wal_checkpoint(NOOP)') ?? {};
    return { all: Number(log), left: Number(log) - Number(checkpointed) };
  }

  /** Bytes of a WAL with so many pages. */
  logBytes(pages: number): number {
    const { page_size: pageBytes } = this.get('PRAGMA page_size') ?? {};
    return WAL_HEAD + pages * (Number(pageBytes) + FRAME_HEAD);
  }

  /** Copies the WAL into the file, which then has the size that it was given. At most 48 MiB. */
  checkpoint(): void {
    this.exec('PRAGMA wal_checkpoint(PASSIVE)');
  }

  /** Copies all of the WAL into the file and brings that to the disk. */
  emptyWal(): void {
    if (this.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy !== 0)
      throw new SvcError('store-failed', `Could not write ${this.file}: it is being read`);
  }

  /** Bytes of the file that hold nothing. */
  freeBytes(): number {
    const free = Number(this.get('PRAGMA freelist_count')?.freelist_count);
    return free * Number(this.get('PRAGMA page_size')?.page_size);
  }

  /** A consistent copy, 0600; whole or not at all, it replaces an earlier one. */
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

  /** The same into a file that exists, in steps between which it is read and written. */
  async copyOpenTo(file: string): Promise<void> {
    try {
      await backup(this.#db, file, { rate: COPIED_PAGES });
    } catch (error) {
      throw this.#failure('read', error);
    }
  }

  close(): void {
    this.#statements.clear();
    // The driver's connection lives on until its statements are garbage-collected; its lock must
    // not, and it goes only after WAL has been left.
    this.#db.exec(
      'PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; BEGIN IMMEDIATE; COMMIT',
    );
    this.#db.close();
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #failure(act: 'open' | 'read' | 'write', error: unknown): SvcError {
    const what = messageOf(error);
    const advice = DAMAGED.test(what)
      ? `. ${DAMAGE_ADVICE}`
      : what.includes('disk is full')
        ? `. ${FULL_ADVICE}`
        : '';
    return new SvcError('store-failed', `Could not ${act} ${this.file}: ${what}${advice}`, {
      cause: error,
    });
  }
}

function recent(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
