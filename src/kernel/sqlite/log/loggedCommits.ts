import { isDeepStrictEqual } from 'node:util';
import { SvcError, toErrorMessage } from '../../../base/errors/errors.ts';
import { chainEntryHash } from '../../../base/system/homes/chainEntryHash.ts';
import type { Batch } from '../../writer.ts';
import type { CommitRoute } from '../commits.ts';
import type { Database } from '../database.ts';
import { refuseNewerOwner, OWNER } from '../refuseNewerOwner.ts';
import type { Statements } from '../thread/statements.ts';
import { encodeEntry } from './entry.ts';
import type { ChangedActor, HomeLog, LogEntry, LogPosition } from './homeLog.ts';
import { forgetLog, readLogPosition, writeLogPosition, writeOutgoing } from './outgoing.ts';
import {
  clearOutsideWrites,
  findOutsideWrite,
  markLogSchema,
  markOutsideWrite,
  type OutsideWrite,
} from './outsideWrites.ts';
import { RecordedStatements, runRecorded } from './recordedStatements.ts';
import type { LogStart, LogStep } from './storeLog.ts';

/** Without a stored index it is new, or nothing is known of it. */
const hasOtherIndex = ({ was, index }: Batch['actors'][number]): boolean =>
  !was || (was !== index && !isDeepStrictEqual(was, index));

/** No checkpoint must count first. */
const NOTHING = Promise.resolve(undefined);

/**
 * Commits batches of a home with a log: each is written to the file together with its entry, then
 * the entry is sent. The control plane is what is durable, so commits do not wait for the disk; after
 * a power loss the file is an older prefix of the log.
 */
export class LoggedCommits implements CommitRoute {
  readonly generation: number;
  readonly #db: Database;
  readonly #log: HomeLog;
  readonly #start: LogStart;
  readonly #onStep: (step: LogStep) => void;
  /** Answers of commits that wait for the log. */
  readonly #waiting = new Set<() => void>();
  #position: LogPosition;
  #isSeeding: boolean;
  /** Entries are answered after it: a checkpoint that must count first. */
  #gate = NOTHING;
  /** Number of checkpoints asked for that do not count yet. */
  #due = 0;
  #hasEnded = false;
  /** The log broke its promise; nothing is written any more. */
  #failure: unknown;

  /**
   * Throws SvcError `store-failed`, with nothing changed, for a state at another position than
   * `start` that is not seeded, or where the file cannot be written.
   */
  constructor(db: Database, log: HomeLog, start: LogStart) {
    const { n, hash, generation, isSeeding = false, onStep: reached = () => undefined } = start;
    const at = readLogPosition(db);
    const isThere = at?.n === n && at.hash === hash;
    if (at !== null && !isThere && !isSeeding)
      throw new SvcError(
        'store-failed',
        `${db.file} is at entry ${at.n} of its log, not at ${n}. It was not changed.`,
      );
    this.#db = db;
    this.#log = log;
    this.#start = start;
    this.#onStep = reached;
    this.#position = { n, hash };
    this.#isSeeding = isSeeding;
    this.generation = generation;
    db.transaction(() => {
      if (!isThere) {
        forgetLog(db);
        writeLogPosition(db, this.#position);
        clearOutsideWrites(db);
      }
      const due = findOutsideWrite(db);
      if (due === null) return;
      markOutsideWrite(db, due);
      markLogSchema(db);
    });
    const due = findOutsideWrite(db);
    if (due !== null) this.outside(due);
    db.syncCommits(isSeeding);
  }

  write(
    { generation, actors }: Batch,
    write: (to: Statements) => void,
  ): undefined | Promise<undefined> {
    if (this.#failure !== undefined)
      throw new SvcError(
        'store-failed',
        `The home's log failed: ${toErrorMessage(this.#failure)}. Restart the runner.`,
        { cause: this.#failure },
      );
    const recordedStatements = new RecordedStatements();
    write(recordedStatements);
    const link = {
      n: this.#position.n + 1,
      generation: this.generation,
      body: encodeEntry(recordedStatements),
    };
    const entry = { ...link, hash: chainEntryHash(this.#position.hash, link) };
    this.#onStep('built');
    const db = this.#db;
    db.transaction(() => {
      refuseNewerOwner(db.get(OWNER), generation);
      runRecorded(recordedStatements, db);
      writeOutgoing(db, entry, this.#log.acknowledged);
      writeLogPosition(db, entry);
      this.#onStep('writing');
    });
    this.#position = { n: entry.n, hash: entry.hash };
    this.#onStep('written');
    const sending = this.#send(entry, actors.filter(hasOtherIndex));
    this.#onStep('sent');
    if (!this.#isSeeding) return this.#wait(sending);
    sending.catch((error: unknown) => this.#break(error));
    return undefined;
  }

  /** What was marked has been written: a checkpoint is due. */
  outside(write: OutsideWrite): void {
    this.#due += 1;
    const checkpoint = this.#start.checkpointDue(write).then(() => this.#checkpointCounts());
    if (write !== 'archive')
      this.#gate = Promise.all([this.#gate, checkpoint]).then(() => undefined);
  }

  /** Before something is written outside of entries, so that a crash does not forget it. */
  mark(write: OutsideWrite): void {
    this.#db.transaction(() => markOutsideWrite(this.#db, write));
  }

  async keepArchive(path: string, sha256: string): Promise<void> {
    await this.#start.keepArchive(path, sha256);
  }

  endSeeding(): void {
    this.#isSeeding = false;
    this.#db.syncCommits(false);
  }

  end(): void {
    this.#db.syncCommits(true);
    this.#db.transaction(() => forgetLog(this.#db));
    this.#hasEnded = true;
    for (const answer of [...this.#waiting]) answer();
  }

  /** A log that throws has broken its promise like one that rejects. */
  async #send(entry: LogEntry, changed: readonly ChangedActor[]): Promise<undefined> {
    return this.#log.send(entry, changed);
  }

  /** Never rejects: a commit of which this is not known has been written here. */
  #wait(sending: Promise<undefined>): Promise<undefined> {
    return new Promise((resolve) => {
      const answer = () => {
        this.#waiting.delete(answer);
        resolve(undefined);
      };
      this.#waiting.add(answer);
      Promise.all([this.#gate, sending]).then(
        () => {
          this.#onStep('acknowledged');
          answer();
        },
        (error: unknown) => this.#break(error),
      );
    });
  }

  #break(error: unknown): void {
    this.#failure ??= error ?? new Error('an entry was refused');
  }

  #checkpointCounts(): void {
    this.#due -= 1;
    if (this.#due > 0 || this.#hasEnded) return;
    try {
      this.#db.transaction(() => clearOutsideWrites(this.#db));
    } catch {
      // The disk is full or broken: the next start asks for one more checkpoint.
    }
  }
}
