import { SvcError } from '../../base/errors/errors.ts';
import type { DurableEvent } from '../chart.ts';
import type { RowChange } from '../rowChange.ts';
import type {
  ActorRow,
  Batch,
  DurableStore,
  FrameRow,
  ReceivedRow,
  JournalRow,
  MailRow,
  OutboxRow,
  TimerRow,
} from '../writer.ts';
import type { ArchiveReader } from './archive/archiveReader.ts';
import { mergeArchivedRows } from './archive/mergeArchivedRows.ts';
import { toActorRow } from './toActorRow.ts';
import { OWNER } from './refuseNewerOwner.ts';
import { createBrokenLine, createBrokenNote } from './broken/brokenLines.ts';
import { BrokenRows } from './broken/brokenRows.ts';
import { type ActorCheck, createActorCheck } from './broken/createActorCheck.ts';
import { toBrokenRow, formatRowProblems } from './broken/rowGuard.ts';
import { BatchWrites } from './batchWrites.ts';
import { Blobs } from './blobs.ts';
import { Checkpoints } from './checkpoints.ts';
import { Commits } from './commits.ts';
import type { Database } from './database.ts';
import type { FeatureTables } from './featureTables.ts';
import {
  listEarliestTimers,
  listPendingEffects,
  listPendingMail,
  listActorTimers,
} from './pending.ts';
import { markRowsError } from './createStoreFailure.ts';
import type { Statements } from './thread/statements.ts';
import { SlotCounts } from './slotCounts.ts';

const CLAIM = `INSERT INTO meta (key, value) VALUES ('generation', '1')
  ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`;
const CLAIM_WITH = `INSERT INTO meta (key, value) VALUES ('generation', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** What it shares with other users of the database; default: parts of its own. */
interface SqliteStoreParts {
  tables: FeatureTables;
  archives: ArchiveReader;
  slots?: SlotCounts;
  commits?: Commits;
  checkpoints?: Checkpoints;
  broken?: BrokenRows;
  checkActor?: ActorCheck;
}

export class SqliteStore implements DurableStore {
  readonly #db: Database;
  readonly #tables: FeatureTables;
  readonly #writes: BatchWrites;
  readonly #blobs: Blobs;
  readonly #archives: ArchiveReader;
  readonly #commits: Commits;
  readonly #slots: SlotCounts;
  readonly #checkpoints: Checkpoints;
  readonly #broken: BrokenRows;
  readonly #checkActor: ActorCheck;

  constructor(
    db: Database,
    {
      tables,
      archives,
      slots = new SlotCounts(db),
      commits = new Commits(db),
      checkpoints = new Checkpoints(db),
      broken = new BrokenRows(),
      checkActor = createActorCheck(),
    }: SqliteStoreParts,
  ) {
    this.#db = db;
    this.#tables = tables;
    this.#commits = commits;
    this.#archives = archives;
    this.#slots = slots;
    this.#checkpoints = checkpoints;
    this.#broken = broken;
    this.#checkActor = checkActor;
    this.#blobs = new Blobs(db);
    this.#writes = new BatchWrites(tables, this.#blobs);
  }

  commit(batch: Batch, overlap = false): undefined | Promise<undefined> {
    const writing = this.#commits.write(batch, (to) => this.#write(to, batch), overlap);
    this.#slots.noteWrites(batch.actors);
    this.#checkpoints.noteWrite();
    return writing?.catch((error: unknown) => {
      this.#slots.forget();
      throw error;
    });
  }

  rowProblem(change: RowChange): string | null {
    return this.#tables.problem(change);
  }

  claim(): number {
    const generation = this.#commits.generation;
    if (generation !== undefined) return this.claimWith(generation);
    this.#db.transaction(() => this.#db.run(CLAIM));
    this.#slots.forget();
    return this.#generation();
  }

  /** Claims with the generation that the control plane gave; the file's own may be higher. */
  claimWith(generation: number): number {
    this.#db.transaction(() => this.#db.run(CLAIM_WITH, String(generation)));
    this.#slots.forget();
    return generation;
  }

  actor(id: string): ActorRow | undefined {
    const underWay = this.#commits.underWay.actor(id);
    if (underWay) return underWay;
    const record = this.#db.getNow('SELECT * FROM actors WHERE id = ?', id);
    return record && toActorRow(record, this.#checkActor, this.#broken);
  }

  inbox(actor: string, source: string, externalId: string): ReceivedRow | undefined {
    const underWay = this.#commits.underWay.findReceived(actor, source, externalId);
    if (underWay) return underWay;
    const sql = 'SELECT at, seq FROM inbox WHERE actor = ? AND source = ? AND external_id = ?';
    const record = this.#db.getNow(sql, actor, source, externalId);
    return record && { actor, source, externalId, at: Number(record.at), seq: Number(record.seq) };
  }

  listPendingEffects(): OutboxRow[] {
    return listPendingEffects(this.#db, this.#broken);
  }

  listPendingMail(): MailRow[] {
    return listPendingMail(this.#db, this.#broken);
  }

  timers(limit: number): TimerRow[] {
    return listEarliestTimers(this.#db, this.#broken, limit);
  }

  listTimers(actor: string): TimerRow[] {
    return listActorTimers(this.#db, this.#broken, actor);
  }

  hasProgressed(actor: string, seq: number): boolean {
    return (
      this.#db.get(
        'SELECT 1 AS yes FROM journal WHERE actor = ? AND seq > ? AND note = 0 LIMIT 1',
        actor,
        seq,
      ) !== undefined
    );
  }

  journal(actor: string, after: number, limit: number): JournalRow[] {
    const journalRows = this.#db
      .all(
        'SELECT * FROM journal WHERE actor = ? AND seq > ? ORDER BY seq LIMIT ?',
        actor,
        after,
        limit,
      )
      .map((record) => this.#journalRow(actor, record));
    return mergeArchivedRows(
      journalRows,
      this.#archives.journal(actor, after),
      limit,
      ({ seq }) => seq,
    );
  }

  frames(actor: string, after: number, limit: number): FrameRow[] {
    const frameRows = this.#db
      .all('SELECT * FROM frames WHERE actor = ? AND n > ? ORDER BY n LIMIT ?', actor, after, limit)
      .map((record) => this.#frameRow(actor, record));
    return mergeArchivedRows(
      frameRows,
      this.#readArchivedFrames(actor, after),
      limit,
      ({ n }) => n,
    );
  }

  /** An unreadable row becomes a note, so that later rows follow. */
  #journalRow(actor: string, record: Record<string, unknown>): JournalRow {
    const [seq, at] = [Number(record.seq), Number(record.at)];
    const journalRow = { ...record, event: this.#blobs.get(String(record.event)) };
    const problems = this.#broken.guard.findRowProblems('journal', journalRow);
    if (problems.length === 0)
      return {
        actor,
        seq,
        at,
        event: JSON.parse(journalRow.event) as DurableEvent,
        path: JSON.parse(String(record.path)) as string[],
        effects: JSON.parse(String(record.effects)) as JournalRow['effects'],
        note: record.note === 1,
      };
    const row = toBrokenRow('journal', `${actor}/${seq}`, problems);
    this.#broken.add(row);
    return createBrokenNote(actor, seq, at, row.reason);
  }

  #frameRow(actor: string, record: Record<string, unknown>): FrameRow {
    const [n, at, kind] = [Number(record.n), Number(record.at), String(record.kind)];
    const { findRowProblems, frames } = this.#broken.guard;
    const problems = findRowProblems('frames', record);
    const reason =
      problems.length > 0
        ? formatRowProblems(problems)
        : frames.explainFrameProblem(kind, String(record.data));
    if (reason === null)
      return { actor, n, at, kind, data: JSON.parse(String(record.data)) as FrameRow['data'] };
    this.#broken.add({ table: 'frames', id: `${actor}/${n}`, reason });
    return { actor, n, at, kind: 'log', data: JSON.parse(createBrokenLine(frames, n, at, reason)) };
  }

  /** Only log lines; other frames stay in the table. */
  *#readArchivedFrames(actor: string, after: number): Generator<FrameRow> {
    for (const { n, at, data } of this.#archives.linesFrom(actor, after + 1))
      yield { actor, n, at, kind: 'log', data: JSON.parse(data) as FrameRow['data'] };
  }

  #write(to: Statements, batch: Batch): void {
    try {
      this.#writes.write(to, batch);
    } catch (error) {
      // Nothing has reached the store: the batch cannot be made into statements.
      throw error instanceof Error && !(error instanceof SvcError) ? markRowsError(error) : error;
    }
  }

  #generation(): number {
    return Number(this.#db.get(OWNER)?.value ?? 0);
  }
}
