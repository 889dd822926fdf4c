import type { Tables } from '../../../contract/records/tables.ts';
import { MAX_STORED_SUM } from '../migrations/boundedSumsMigration.ts';
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

const DAY_MS = 86_400_000;
const ARE_TOKENS = areCounts(['t.input_tokens', 't.output_tokens']);

/** A job that changed in the period, with the counted fields; times are epoch ms. */
export interface CountedJob {
  id: string;
  /** Its place in the order of creation, which orders jobs that changed at the same time. */
  row: number;
  since: number;
  createdAt: number;
  state: Tables['job_list']['state'];
  workflow: string;
  isSubRun: boolean;
  hasEscalated: boolean;
}

/** Tokens of a job on a day; those of a visit count on the day on which it began. */
export interface DayTokens {
  id: string;
  /** Number of the day since 1970. */
  day: number;
  input: number;
  output: number;
}

/** Sessions of a job that ended without a token report, by the day on which their visit began. */
export interface DayUnreported {
  id: string;
  /** Number of the day since 1970. */
  day: number;
  sessions: number;
}

export interface Wait {
  kind: string;
  count: number;
  total: number;
  longest: number;
}

/** Sums over batches of jobs, from the rows of the list, visits, usage and states. */
export class StatisticsReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, broken = createBrokenRows()) {
    this.#db = db;
    this.#broken = broken;
  }

  /** How many jobs were created in a period. */
  created(from: number, until: number): number {
    const row = this.#db.get(
      'SELECT count(*) AS n FROM job_list WHERE created_at >= ? AND created_at < ?',
      from,
      until,
    );
    return Number(row?.n);
  }

  /**
   * At most `limit` jobs after `last` that changed in the period, newest first. A job with an
   * unreadable state is in none of the counted states.
   */
  jobs(from: number, last: Pick<CountedJob, 'since' | 'row'> | null, limit: number): CountedJob[] {
    return this.#db
      .all(
        `SELECT job_id, rowid, since, created_at, state, workflow, parent, ask FROM job_list
         WHERE since >= ? AND (since, rowid) < (?, ?) AND ${isTime('created_at')} ORDER BY since DESC, rowid DESC LIMIT ?`,
        from,
        last?.since ?? LAST_TIME,
        last?.row ?? 0,
        limit,
      )
      .map(({ job_id, rowid, since, created_at, state, workflow, parent, ask }) => ({
        id: String(job_id),
        row: Number(rowid),
        since: Number(since),
        createdAt: Number(created_at),
        state: state as CountedJob['state'],
        workflow: String(workflow),
        isSubRun: parent !== null,
        hasEscalated: ask === 'escalated',
      }));
  }

  /** `shift`: ms added to a time before its day in UTC is taken. */
  tokens(ids: readonly string[], from: number, shift: number): DayTokens[] {
    return this.#db
      .all(
        `SELECT t.job_id, CAST((v.started_at + ?3) / ${DAY_MS} AS INTEGER) AS day,
           min(${MAX_STORED_SUM}, total(t.input_tokens) FILTER (WHERE ${ARE_TOKENS})) AS input,
           min(${MAX_STORED_SUM}, total(t.output_tokens) FILTER (WHERE ${ARE_TOKENS})) AS output,
           count(*) FILTER (WHERE NOT (${ARE_TOKENS})) AS left_out
         FROM json_each(?1) j CROSS JOIN token_usage t ON t.job_id = j.value
         CROSS JOIN phase_visits v ON v.job_id = t.job_id AND v.visit = t.visit
         WHERE v.started_at >= ?2 AND ${isTime('v.started_at')} GROUP BY t.job_id, day`,
        JSON.stringify(ids),
        from,
        shift,
      )
      .map(({ job_id, day, input, output, left_out }) => {
        if (Number(left_out) > 0)
          reportLeftOutRows(
            this.#db,
            this.#broken,
            { table: 'token_usage', key: ['job_id', 'visit', 'session'] },
            `${areCounts(['input_tokens', 'output_tokens'])} OR job_id <> ?`,
            [String(job_id)],
          );
        return {
          id: String(job_id),
          day: Number(day),
          input: Number(input),
          output: Number(output),
        };
      });
  }

  /** `shift`: as of {@link tokens}. */
  unreported(ids: readonly string[], from: number, shift: number): DayUnreported[] {
    return this.#db
      .all(
        // Few jobs have such sessions, and the ledger of a job may be long.
        `SELECT c.subject, CAST((v.started_at + ?3) / ${DAY_MS} AS INTEGER) AS day, count(*) AS sessions
         FROM json_each(?1) j
         CROSS JOIN usage_sums u ON u.scope = 'job' AND u.key = j.value AND u.window = '' AND u.unpriced_calls > 0
         CROSS JOIN usage_calls c ON c.subject = u.key AND c.source = 'none'
         CROSS JOIN phase_visits v ON v.job_id = c.subject AND v.visit = c.visit
         WHERE v.started_at >= ?2 AND ${isTime('v.started_at')} GROUP BY c.subject, day`,
        JSON.stringify(ids),
        from,
        shift,
      )
      .map(({ subject, day, sessions }) => ({
        id: String(subject),
        day: Number(day),
        sessions: Number(sessions),
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
