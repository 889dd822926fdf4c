import type { DurableEvent } from '../chart.ts';
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
import { SvcError } from '../../lib/errors.ts';
import type { ArchiveReader } from './archive/archiveReader.ts';
import { mergedRows } from './archive/mergedRows.ts';
import { actorRow } from './actorRow.ts';
import { ActorWrites } from './actorWrites.ts';
import { Blobs } from './blobs.ts';
import { Checkpoints } from './checkpoints.ts';
import { Commits } from './commits.ts';
import type { Database } from './database.ts';
import type { FeatureTables } from './featureTables.ts';
import { mergedChanges } from './mergedChanges.ts';
import { pendingEffects, pendingMail, timerRow } from './pending.ts';
import { RowChanges } from './rowChanges.ts';
import { SlotCounts } from './slotCounts.ts';

const CLAIM = `INSERT INTO meta (key, value) VALUES ('generation', '1')
  ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`;
const ADD_JOURNAL =
  'INSERT INTO journal (actor, seq, at, event, path, effects, note) VALUES (?, ?, ?, ?, ?, ?, ?)';
const PUT_EFFECT = `INSERT INTO outbox (effect_id, actor, seq, type, params, attempt, started_seq, clean_stop) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (effect_id) DO UPDATE SET attempt = excluded.attempt, started_seq = excluded.started_seq, clean_stop = excluded.clean_stop`;
const PUT_TIMER = `INSERT INTO timers (actor, name, due, event) VALUES (?, ?, ?, ?)
  ON CONFLICT (actor, name) DO UPDATE SET due = excluded.due, event = excluded.event`;

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
  readonly #actors: ActorWrites;
  readonly #changes: RowChanges;
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
    this.#commits = commits;
    this.#archives = archives;
    this.#slots = slots;
    this.#checkpoints = checkpoints;
    this.#actors = new ActorWrites(db);
    this.#changes = new RowChanges(db, tables);
    this.#blobs = new Blobs(db);
  }

  commit(batch: Batch, overlap = false): undefined | Promise<undefined> {
    const db = this.#db;
    const writing = this.#commits.write(() => {
      this.#fence(batch.generation);
      for (const actor of batch.actors) this.#actors.write(actor, batch.generation);
      for (const row of batch.journal) {
        const { actor, seq, at, event, path, effects, note } = row;
        db.run(
          ADD_JOURNAL,
          actor,
          seq,
          at,
          this.#blobs.put(JSON.stringify(event)),
          JSON.stringify(path),
          JSON.stringify(effects),
          note ? 1 : 0,
        );
      }
      for (const row of batch.outboxPut) {
        const { effectId, actor, seq, type, params, attempt, startedSeq, cleanStop } = row;
        db.run(
          PUT_EFFECT,
          effectId,
          actor,
          seq,
          type,
          JSON.stringify(params),
          attempt,
          startedSeq,
          cleanStop ? 1 : 0,
        );
      }
      for (const id of batch.outboxDone) db.run('DELETE FROM outbox WHERE effect_id = ?', id);
      for (const { actor, name, due, event } of batch.timersSet)
        db.run(PUT_TIMER, actor, name, due, JSON.stringify(event));
      for (const { actor, name } of batch.timersDrop)
        db.run('DELETE FROM timers WHERE actor = ? AND name = ?', actor, name);
      for (const { actor, source, externalId, at, seq } of batch.inbox) {
        db.run(
          'INSERT INTO inbox (actor, source, external_id, at, seq) VALUES (?, ?, ?, ?, ?)',
          actor,
          source,
          externalId,
          at,
          seq,
        );
      }
      for (const { id, to, event } of batch.mailPut)
        db.run(
          'INSERT INTO mail (id, receiver, event) VALUES (?, ?, ?)',
          id,
          to,
          JSON.stringify(event),
        );
      for (const id of batch.mailDone) db.run('DELETE FROM mail WHERE id = ?', id);
      for (const { actor, n, at, kind, data } of batch.frames) {
        db.run(
          'INSERT INTO frames (actor, n, at, kind, data) VALUES (?, ?, ?, ?, ?)',
          actor,
          n,
          at,
          kind,
          JSON.stringify(data),
        );
      }
      for (const change of mergedChanges(batch.rows)) this.#changes.carryOut(change);
    }, overlap);
    this.#slots.written(batch.actors);
    this.#checkpoints.written();
    return writing;
  }

  claim(): number {
    this.#db.transaction(() => this.#db.run(CLAIM));
    this.#slots.forget();
    return this.#generation();
  }

  actor(id: string): ActorRow | undefined {
    this.#commits.beCertain();
    const record = this.#db.get('SELECT * FROM actors WHERE id = ?', id);
    return record && actorRow(record);
  }

  inbox(actor: string, source: string, externalId: string): ReceivedRow | undefined {
    this.#commits.beCertain();
    const sql = 'SELECT at, seq FROM inbox WHERE actor = ? AND source = ? AND external_id = ?';
    const record = this.#db.get(sql, actor, source, externalId);
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

  #generation(): number {
    return Number(this.#db.get("SELECT value FROM meta WHERE key = 'generation'")?.value ?? 0);
  }

  #fence(generation: number): void {
    const owner = this.#generation();
    if (owner === generation) return;
    throw new SvcError(
      'store-failed',
      `The state has a newer owner (generation ${owner}; this one has ${generation}): nothing is written`,
    );
  }
}
