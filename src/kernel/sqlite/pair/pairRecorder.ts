import { randomInt } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from '@photostructure/sqlite';
import {
  type Manifest,
  ManifestFile,
  computeNextStamp,
  readHomeId,
  readPairManifest,
} from './pairManifest.ts';
import { areSameSalts, parseLogHead, type Salts } from './readLog.ts';

type Connection = InstanceType<typeof DatabaseSync>;

/** Log pages at which a commit copies it into the database: 48 MiB. Usually idle time does. */
export const CHECKPOINT_PAGES = 6_000;
const LOG_HEAD_BYTES = 32;
/** First stamps are random below this, to leave room for later ones. */
const FIRST_STAMPS = 0x4000_0000;

/**
 * Keeps the manifest of an open state true, and copies the log into state.db where it has become
 * long. Each connection that writes has a recorder of its own; only one writes at a time.
 *
 * SQLite begins a log again in the first commit after all of it was copied. The recorder makes that
 * commit itself, and it does nothing but set the next stamp: manifest, stamp, manifest, in this
 * order. So no commit that was acknowledged is the first one of a log, and `examinePair` knows each
 * moment in between.
 */
export class PairRecorder {
  readonly #db: Connection;
  readonly #file: string;
  readonly #manifest: ManifestFile;
  readonly #home: string | null;
  readonly #statements = new Map<string, ReturnType<Connection['prepare']>>();
  #log: number | undefined;
  #salts: Salts | undefined;
  #stamps: readonly number[] = [];
  /** Commits do not wait for the disk, so that only what this class syncs is on it. */
  #isLazy = false;

  /** `db` has the file open. */
  constructor(db: Connection, file: string) {
    this.#db = db;
    this.#file = file;
    this.#manifest = new ManifestFile(file);
    this.#home = readHomeId(file);
  }

  /**
   * Begins to use a state with a log, or continues with the log left by a kill. `stamp`: the file's
   * when checked. Throws if manifest or state cannot be written.
   */
  begin(stamp: number): void {
    if (this.#stamp() === 0) this.#giveFirstStamp();
    const now = this.#stamp();
    if (this.#frames() > 0) {
      const stamps = readPairManifest(this.#file)?.stamps ?? [];
      this.#stamps = [...new Set([...stamps, stamp, now])];
      // A kill may have left commits that are not on disk yet.
      this.#syncLog();
    } else {
      this.#stamps = [now, computeNextStamp(now)];
      this.#write(null, true, true);
      this.#db.exec('PRAGMA journal_mode = WAL');
      this.#setStamp(computeNextStamp(now));
    }
    this.#record(true);
  }

  /** After a commit. Throws nothing: the commit is on disk whatever happens here. */
  noteCommit(): void {
    try {
      // The manifest may lag behind the log, but must not promise what is not on the disk.
      const frames = this.#isLazy ? this.#frames() : this.#record(false);
      if (frames >= CHECKPOINT_PAGES) this.checkpoint();
    } catch {
      // The disk is full or broken; the next commit reports it.
    }
  }

  /** Whether commits wait for the disk; default true. Throws if the manifest cannot be written. */
  syncCommits(isOn: boolean): void {
    // Whatever was committed until now is recorded either way.
    this.#isLazy = true;
    this.#record(true);
    this.#isLazy = !isOn;
  }

  /** Copies what it can of the log into the file, at most 48 MiB. Throws SQLite's error. */
  checkpoint(): void {
    this.#copyLog(() => {});
  }

  /** Copies all of the log into the file and truncates it. Throws Error while it is being read. */
  emptyLog(): void {
    const isDone = this.#copyLog(() => {
      if (Number(this.#row('PRAGMA wal_checkpoint(TRUNCATE)').busy) !== 0) throw new Error(IN_USE);
    });
    if (!isDone) throw new Error(IN_USE);
  }

  /**
   * Before the log's use ends: gives the state a stamp that no earlier copy has, and records that
   * it is complete. Throws nothing: the next start completes what is missing.
   */
  end(): void {
    try {
      const stamp = computeNextStamp(this.#stamp());
      this.#setStamp(stamp);
      // The other connection may have restarted the log.
      this.#stamps = [...(readPairManifest(this.#file)?.stamps ?? this.#stamps), stamp];
      this.#record(true);
      if (this.#isCopied()) this.#complete([stamp], true);
    } catch {
      // The disk is full or broken: log and last manifest stay.
    }
  }

  /** After the log's use has ended, before others may open the state. Throws nothing. */
  noteEnd(): void {
    try {
      this.#stamps = [this.#stamp()];
      this.#write(null, true, true);
    } catch {
      // The log was recorded as complete before.
    }
  }

  close(): void {
    this.#statements.clear();
    this.#closeLog();
    this.#manifest.close();
  }

  #closeLog(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
  }

  /** Copies the log and restarts it if all of it is in the file. Returns whether it did. */
  #copyLog(cut: () => void): boolean {
    if (!this.#isCopied()) return false;
    const stamp = this.#stamp();
    const next = stamp === 0 ? randomInt(1, FIRST_STAMPS) : computeNextStamp(stamp);
    this.#complete([stamp, next], true);
    cut();
    this.#setStamp(next);
    this.#record(true);
    return true;
  }

  #isCopied(): boolean {
    const { busy, log, checkpointed } = this.#row('PRAGMA wal_checkpoint(PASSIVE)');
    return Number(busy) === 0 && Number(log) === Number(checkpointed);
  }

  /** For a new state or an older release's. Set without a log, so that the stamp is in the file. */
  #giveFirstStamp(): void {
    const first = randomInt(1, FIRST_STAMPS);
    if (this.#frames() > 0) {
      if (!this.#isCopied()) return;
      this.#complete([0, first], true);
    }
    this.#db.exec('PRAGMA journal_mode = DELETE');
    // The next log is another file.
    this.#closeLog();
    this.#setStamp(first);
  }

  #complete(stamps: readonly number[], isSynced: boolean): void {
    this.#stamps = stamps;
    const frames = this.#frames();
    const salts = this.#readSalts();
    this.#write(salts === null || frames === 0 ? null : { salts, frames }, true, isSynced);
  }

  /** Returns the log's number of frames. */
  #record(mustSync: boolean): number {
    let isSynced = mustSync;
    const frames = this.#frames();
    if (this.#isLazy && frames > 0) this.#syncLog();
    const salts = this.#readSalts();
    if (salts === null || frames === 0) return frames;
    const isOurs = this.#salts !== undefined && areSameSalts(salts, this.#salts);
    if (!isOurs && !isSynced) {
      const pairManifest = readPairManifest(this.#file);
      this.#stamps = pairManifest?.stamps ?? this.#stamps;
      isSynced = pairManifest?.log == null || !areSameSalts(salts, pairManifest.log.salts);
    }
    this.#salts = salts;
    this.#write({ salts, frames }, false, isSynced);
    return frames;
  }

  #write(log: Manifest['log'], isComplete: boolean, isSynced: boolean): void {
    const manifest = { home: this.#home, stamps: this.#stamps, log, isComplete };
    this.#manifest.write(manifest, isSynced);
  }

  #setStamp(stamp: number): void {
    this.#db.exec(`PRAGMA application_id = ${stamp}`);
  }

  #stamp(): number {
    return Number(this.#row('PRAGMA application_id').application_id);
  }

  /** Frames up to the last commit; 0 = no log in use. */
  #frames(): number {
    return Math.max(0, Number(this.#row('PRAGMA wal_checkpoint(NOOP)').log));
  }

  #row(sql: string): Record<string, unknown> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement.get() ?? {};
  }

  #syncLog(): void {
    this.#log ??= openSync(`${this.#file}-wal`, 'r+');
    fsyncSync(this.#log);
  }

  #readSalts(): Salts | null {
    this.#log ??= openSync(`${this.#file}-wal`, 'r+');
    const head = Buffer.alloc(LOG_HEAD_BYTES);
    readSync(this.#log, head, 0, LOG_HEAD_BYTES, 0);
    return parseLogHead(head)?.salts ?? null;
  }
}

const IN_USE = 'it is being read';
