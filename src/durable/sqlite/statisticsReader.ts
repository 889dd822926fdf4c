import type { Database } from './database.ts';

const DAY_MS = 86_400_000;

/** `shift`: ms that are added to a time before its day in UTC is taken. */
interface Period {
  from: number;
  now: number;
  shift: number;
}

export type Ended = 'complete' | 'partial' | 'failed' | 'cancelled';

const ENDED = "('complete', 'partial', 'failed', 'cancelled')";

/** Number of a day since 1970, for a column with epoch ms. */
const dayOf = (column: string): string => `CAST((${column} + ?) / ${DAY_MS} AS INTEGER)`;

/** Sums over jobs of a period, by the rows of the list, of visits, of usage and of states. */
export class StatisticsReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  jobs({ from }: Period): number {
    const row = this.#db.get('SELECT count(*) AS n FROM job_list WHERE since >= ?', from);
    return Number(row?.n);
  }

  created({ from, shift }: Period): { day: number; count: number }[] {
    return this.#db
      .all(
        `SELECT ${dayOf('created_at')} AS day, count(*) AS n FROM job_list WHERE created_at >= ? GROUP BY day`,
        shift,
        from,
      )
      .map(({ day, n }) => ({ day: Number(day), count: Number(n) }));
  }

  ended({ from, shift }: Period): { day: number; state: Ended; count: number }[] {
    return this.#db
      .all(
        `SELECT ${dayOf('since')} AS day, state, count(*) AS n FROM job_list
         WHERE since >= ? AND state IN ${ENDED} GROUP BY day, state`,
        shift,
        from,
      )
      .map(({ day, state, n }) => ({ day: Number(day), state: state as Ended, count: Number(n) }));
  }

  workflows({ from }: Period): { workflow: string; state: Ended; count: number; ms: number }[] {
    return this.#db
      .all(
        `SELECT workflow, state, count(*) AS n, sum(since - created_at) AS ms FROM job_list
         WHERE since >= ? AND state IN ${ENDED} GROUP BY workflow, state`,
        from,
      )
      .map(({ workflow, state, n, ms }) => ({
        workflow: String(workflow),
        state: state as Ended,
        count: Number(n),
        ms: Number(ms),
      }));
  }

  /** Tokens by day and workflow; those of a visit count on the day on which it began. */
  tokens({
    from,
    shift,
  }: Period): { day: number; workflow: string; input: number; output: number }[] {
    return this.#db
      .all(
        `SELECT ${dayOf('v.started_at')} AS day, l.workflow AS workflow,
           sum(t.input_tokens) AS input, sum(t.output_tokens) AS output
         FROM job_list l JOIN token_usage t ON t.job_id = l.job_id
         JOIN phase_visits v ON v.job_id = t.job_id AND v.visit = t.visit
         WHERE l.since >= ? AND v.started_at >= ? GROUP BY day, l.workflow`,
        shift,
        from,
        from,
      )
      .map(({ day, workflow, input, output }) => ({
        day: Number(day),
        workflow: String(workflow),
        input: Number(input),
        output: Number(output),
      }));
  }

  /**
   * What the newest `limit` jobs of the period waited for. States that follow each other for the
   * same reason are one wait; what was before the period is not counted.
   */
  waits(
    { from, now }: Period,
    limit: number,
  ): { kind: string; count: number; total: number; longest: number }[] {
    return this.#db
      .all(
        `WITH states AS (
           SELECT f.actor, f.n, f.at, CASE
             WHEN json_extract(f.data, '$.state[0]') = 'queued' THEN 'slot'
             ELSE json_extract(f.data, '$.parked.kind') END AS kind
           FROM (SELECT job_id FROM job_list WHERE since >= ?1 ORDER BY since DESC LIMIT ?3) j
           JOIN frames f ON f.actor = j.job_id AND f.kind = 'state' AND f.kind <> 'log'
         ), changes AS (
           SELECT *, lag(kind) OVER job IS kind AND lag(at) OVER job IS NOT NULL AS same
           FROM states WINDOW job AS (PARTITION BY actor ORDER BY n)
         ), spans AS (
           SELECT kind, max(at, ?1) AS began, coalesce(lead(at) OVER (PARTITION BY actor ORDER BY n), ?2) AS until
           FROM changes WHERE NOT same
         )
         SELECT kind, count(*) AS n, sum(until - began) AS total, max(until - began) AS longest
         FROM spans WHERE kind IS NOT NULL AND until > began GROUP BY kind ORDER BY total DESC`,
        from,
        now,
        limit,
      )
      .map(({ kind, n, total, longest }) => ({
        kind: String(kind),
        count: Number(n),
        total: Number(total),
        longest: Number(longest),
      }));
  }
}
