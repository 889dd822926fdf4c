import { MAX_STORED_SUM } from '../migrations/boundedSumsMigration.ts';
import { QUARTER_MS } from '../migrations/jobQuarterMigration.ts';
import type { BrokenRows } from '../../../kernel/sqlite/broken/brokenRows.ts';
import { createBrokenRows } from '../jobRowGuard.ts';
import {
  areCounts,
  isTime,
  buildJsonValueSql,
  LAST_TIME,
  reportLeftOutRows,
} from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';

/** What happened in a period; times are ms. */
export interface PeriodCount {
  kind: Outcome | 'created' | 'failed-sub-run' | 'escalated' | 'tokens' | 'unreported';
  /** Empty where it does not count by workflow. */
  workflow: string;
  /** How many; of tokens: those in. */
  n: number;
  /** Of jobs that ended: time from creation to the end, together. Of tokens: those out. */
  more: number;
}

/** How a job has ended. */
export type Outcome = 'complete' | 'partial' | 'failed' | 'cancelled';

/** A job that changed in the period. */
export interface ChangedJob {
  id: string;
  /** Its place in the order of creation, which orders jobs that changed at the same time. */
  row: number;
  since: number;
}

export interface Wait {
  kind: string;
  count: number;
  total: number;
  longest: number;
}

/** Jobs that are counted at once. */
const COUNTED_AT_ONCE = 5_000;

/** Counts of quarters of an hour, kept by triggers, and the waits of single jobs. */
export class StatisticsReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, brokenRows = createBrokenRows()) {
    this.#db = db;
    this.#broken = brokenRows;
  }

  /** What happened from a time until another, each rounded down to a quarter of an hour. */
  counts(from: number, until: number): PeriodCount[] {
    return this.#db
      .all(
        `SELECT kind, workflow, min(${MAX_STORED_SUM}, total(n)) AS n, min(${MAX_STORED_SUM}, total(more)) AS more
         FROM job_quarters WHERE quarter >= ? AND quarter < ? AND ${areCounts(['n', 'more'])} GROUP BY kind, workflow`,
        Math.floor(from / QUARTER_MS),
        Math.floor(until / QUARTER_MS),
      )
      .map(({ kind, workflow, n, more }) => ({
        kind: kind as PeriodCount['kind'],
        workflow: String(workflow),
        n: Number(n),
        more: Number(more),
      }));
  }

  /** Names sessions whose tokens are in no sum. */
  nameLeftOut(): void {
    reportLeftOutRows(
      this.#db,
      this.#broken,
      { table: 'token_usage', key: ['job_id', 'visit', 'session'] },
      areCounts(['input_tokens', 'output_tokens']),
    );
  }

  /** How many jobs have changed since a time, some at a time: add them up. */
  *countChanged(from: number): Generator<number> {
    for (let after = from - 1; ; ) {
      const sql = 'FROM job_list INDEXED BY job_list_since WHERE since > ?';
      const last = this.#db.get(
        `SELECT since AS last ${sql} ORDER BY since LIMIT 1 OFFSET ?`,
        after,
        COUNTED_AT_ONCE - 1,
      )?.last;
      const until = typeof last === 'number' ? last : LAST_TIME;
      yield Number(this.#db.get(`SELECT count(*) AS n ${sql} AND since <= ?`, after, until)?.n);
      if (typeof last !== 'number') return;
      after = last;
    }
  }

  /** At most `limit` jobs after `last` that changed since a time, newest first. */
  jobs(from: number, last: Pick<ChangedJob, 'since' | 'row'> | null, limit: number): ChangedJob[] {
    return this.#db
      .all(
        `SELECT job_id, rowid, since FROM job_list
         WHERE since >= ? AND (since, rowid) < (?, ?) ORDER BY since DESC, rowid DESC LIMIT ?`,
        from,
        last?.since ?? LAST_TIME,
        last?.row ?? 0,
        limit,
      )
      .map(({ job_id, rowid, since }) => ({
        id: String(job_id),
        row: Number(rowid),
        since: Number(since),
      }));
  }

  /**
   * What the jobs waited for. Consecutive states with the same reason are one wait; time before
   * `from` is not counted, and an unfinished wait counts until `now`.
   */
  waits(ids: readonly string[], from: number, now: number): Wait[] {
    // Forces an index that SQLite would not choose: the log of a job may have 50,000 lines.
    return this.#db
      .all(
        `WITH states AS (
           SELECT f.actor, f.n, f.at, CASE
             WHEN ${buildJsonValueSql('f.data', '$.state[0]')} = 'queued' THEN 'slot'
             ELSE ${buildJsonValueSql('f.data', '$.parked.kind')} END AS kind
           FROM json_each(?1) j
           CROSS JOIN frames f INDEXED BY frames_beside_log ON f.actor = j.value AND f.kind = 'state' AND f.kind <> 'log'
           WHERE ${isTime('f.at')} AND CASE WHEN json_valid(f.data) THEN json_type(f.data, '$.state') = 'array' END
         ), changes AS (
           SELECT *, lag(kind) OVER job IS kind AND lag(at) OVER job IS NOT NULL AS same
           FROM states WINDOW job AS (PARTITION BY actor ORDER BY n)
         ), spans AS (
           SELECT kind, max(at, ?2) AS began, coalesce(lead(at) OVER (PARTITION BY actor ORDER BY n), ?3) AS until
           FROM changes WHERE NOT same
         )
         SELECT kind, count(*) AS n, sum(until - began) AS total, max(until - began) AS longest
         FROM spans WHERE kind IS NOT NULL AND until > began GROUP BY kind`,
        JSON.stringify(ids),
        from,
        now,
      )
      .map(({ kind, n, total, longest }) => ({
        kind: String(kind),
        count: Number(n),
        total: Number(total),
        longest: Number(longest),
      }));
  }
}
