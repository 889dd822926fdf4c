import { SvcError } from '../../lib/errors.ts';
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
import { mergedRows } from './archive/mergedRows.ts';
import { actorRow } from './actorRow.ts';
import { OWNER } from './owner.ts';
import { BatchWrites } from './batchWrites.ts';
import { Blobs } from './blobs.ts';
import { Checkpoints } from './checkpoints.ts';
import { Commits } from './commits.ts';
import type { Database } from './database.ts';
import type { FeatureTables } from './featureTables.ts';
import { pendingEffects, pendingMail, timerRow } from './pending.ts';
import { markOfRows } from './storeFailure.ts';
import type { Statements } from './thread/statements.ts';
import { SlotCounts } from './slotCounts.ts';

const CLAIM = `INSERT INTO meta (key, value) VALUES ('generation', '1')
  ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`;

/** What it shares with others that use the same database; default: parts of its own. */
interface SqliteStoreParts {
  tables: FeatureTables;
  archives: ArchiveReader;
  slots?: SlotCounts;
  commits?: Commits;
  checkpoints?: Checkpoints;
}

/** The kernel's store on local SQLite. */
export class SqliteStore implements DurableStore {
  readonly #db: Database;
  readonly #tables: FeatureTables;
  readonly #writes: BatchWrites;
  readonly #blobs: Blobs;
  readonly #archives: ArchiveReader;
  readonly #commits: Commits;
  readonly #slots: SlotCounts;
  readonly #checkpoints: Checkpoints;

  constructor(
    db: Database,
    {
      tables,
      archives,
      slots = new SlotCounts(db),
      commits = new Commits(db),
      checkpoints = new Checkpoints(db),
    }: SqliteStoreParts,
  ) {
    this.#db = db;
    this.#tables = tables;
    this.#commits = commits;
    this.#archives = archives;
    this.#slots = slots;
    this.#checkpoints = checkpoints;
    this.#blobs = new Blobs(db);
    this.#writes = new BatchWrites(tables, this.#blobs);
  }

  commit(batch: Batch, overlap = false): undefined | Promise<undefined> {
    const writing = this.#commits.write(batch, (to) => this.#write(to, batch), overlap);
    this.#slots.written(batch.actors);
    this.#checkpoints.written();
    return writing?.catch((error: unknown) => {
      this.#slots.forget();
      throw error;
    });
  }

  rowProblem(change: RowChange): string | null {
    return this.#tables.problem(change);
  }

  claim(): number {
    this.#db.transaction(() => this.#db.run(CLAIM));
    this.#slots.forget();
    return this.#generation();
  }

  actor(id: string): ActorRow | undefined {
    const underWay = this.#commits.underWay.actor(id);
    if (underWay) return underWay;
    const record = this.#db.getNow('SELECT * FROM actors WHERE id = ?', id);
    return record && actorRow(record);
  }

  inbox(actor: string, source: string, externalId: string): ReceivedRow | undefined {
    const underWay = this.#commits.underWay.received(actor, source, externalId);
    if (underWay) return underWay;
    const sql = 'SELECT at, seq FROM inbox WHERE actor = ? AND source = ? AND external_id = ?';
    const record = this.#db.getNow(sql, actor, source, externalId);
    return record && { actor, source, externalId, at: Number(record.at), seq: Number(record.seq) };
  }

  pendingEffects(): OutboxRow[] {
    return pendingEffects(this.#db);
  }

  pendingMail(): MailRow[] {
    return pendingMail(this.#db);
  }

  timers(limit: number): TimerRow[] {
    return this.#db
      .all('SELECT * FROM timers ORDER BY due, actor, name LIMIT ?', limit)
      .map(timerRow);
  }

  timersOf(actor: string): TimerRow[] {
    return this.#db
      .all('SELECT * FROM timers WHERE actor = ? ORDER BY due, name', actor)
      .map(timerRow);
  }

  progressed(actor: string, seq: number): boolean {
    return (
      this.#db.get(
        'SELECT 1 AS yes FROM journal WHERE actor = ? AND seq > ? AND note = 0 LIMIT 1',
        actor,
        seq,
      ) !== undefined
    );
  }

  journal(actor: string, after: number, limit: number): JournalRow[] {
    const stored = this.#db
      .all(
        'SELECT * FROM journal WHERE actor = ? AND seq > ? ORDER BY seq LIMIT ?',
        actor,
        after,
        limit,
      )
      .map((record) => ({
        actor,
        seq: Number(record.seq),
        at: Number(record.at),
        event: JSON.parse(this.#blobs.get(String(record.event))) as DurableEvent,
        path: JSON.parse(String(record.path)) as string[],
        effects: JSON.parse(String(record.effects)) as JournalRow['effects'],
        note: record.note === 1,
      }));
    return mergedRows(stored, this.#archives.journal(actor, after), limit, ({ seq }) => seq);
  }

  frames(actor: string, after: number, limit: number): FrameRow[] {
    const stored = this.#db
      .all('SELECT * FROM frames WHERE actor = ? AND n > ? ORDER BY n LIMIT ?', actor, after, limit)
      .map((record) => ({
        actor,
        n: Number(record.n),
        at: Number(record.at),
        kind: String(record.kind),
        data: JSON.parse(String(record.data)) as FrameRow['data'],
      }));
    return mergedRows(stored, this.#archivedFrames(actor, after), limit, ({ n }) => n);
  }

  /** Lines of the log: what else there is of frames stays in the table. */
  *#archivedFrames(actor: string, after: number): Generator<FrameRow> {
    for (const { n, at, data } of this.#archives.linesFrom(actor, after + 1))
      yield { actor, n, at, kind: 'log', data: JSON.parse(data) as FrameRow['data'] };
  }

  #write(to: Statements, batch: Batch): void {
    try {
      this.#writes.write(to, batch);
    } catch (error) {
      // Nothing of it has reached the store: it cannot be made into statements.
      throw error instanceof Error && !(error instanceof SvcError) ? markOfRows(error) : error;
    }
  }

  #generation(): number {
    return Number(this.#db.get(OWNER)?.value ?? 0);
  }
}
