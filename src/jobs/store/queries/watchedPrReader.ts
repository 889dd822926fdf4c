import { areCounts } from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';

interface Place {
  repo: string;
  number: number;
}

/** States of pull requests that may still be merged: a closed one may be reopened. */
const UNMERGED = ['open', 'closed'] as const;

/** The primary key would also read all merged ones. */
const BY_STATE = 'INDEXED BY pr_mappings_open';

/** An ended job is watched until its open pull requests are decided, or it is dismissed for good. */
const OWNER_LIVES = `EXISTS (SELECT 1 FROM job_list l
  WHERE l.job_id = m.job_id AND (l.state IN ('queued', 'working', 'waiting')
    OR (l.ask = 'open-pr' AND (l.dismissed_at IS NULL OR l.job_id IN (SELECT job_id FROM snoozes)))))`;

/** Pull requests of all jobs, for those who watch forges and write to them. */
export class WatchedPrReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Unmerged ones of a forge after the place `after` (null = from the first), in their order. */
  page(forge: string, after: Place | null, most: number): Place[] {
    const { repo, number } = after ?? { repo: '', number: -1 };
    // By the index of each state, which has the same order.
    const parts = UNMERGED.map(
      (state) => `SELECT * FROM (SELECT m.repo, m.number FROM pr_mappings m ${BY_STATE}
        WHERE m.state = '${state}' AND m.forge = ?1 AND (m.repo, m.number) > (?2, ?3) AND ${areCounts(['m.number'])} AND ${OWNER_LIVES}
        ORDER BY m.repo, m.number LIMIT ?4)`,
    );
    return this.#db
      .all(`${parts.join(' UNION ALL ')} ORDER BY 1, 2 LIMIT ?4`, forge, repo, number, most)
      .map((row) => ({ repo: String(row.repo), number: Number(row.number) }));
  }

  /** Open ones of a forge with a known problem. */
  withProblem(forge: string): (Place & { problem: string })[] {
    return this.#db
      .all(
        `SELECT m.repo, m.number, m.problem FROM pr_mappings m ${BY_STATE}
         WHERE m.state = 'open' AND m.forge = ? AND m.problem IS NOT NULL AND ${OWNER_LIVES}`,
        forge,
      )
      .map((row) => ({
        repo: String(row.repo),
        number: Number(row.number),
        problem: String(row.problem),
      }));
  }

  /** Their number, counted up to `most`. */
  count(forge: string, most: number): number {
    const watchedSql = `SELECT 1 FROM pr_mappings m ${BY_STATE}
      WHERE m.state IN (?, ?) AND m.forge = ? AND ${OWNER_LIVES} LIMIT ?`;
    const row = this.#db.get(`SELECT count(*) AS n FROM (${watchedSql})`, ...UNMERGED, forge, most);
    return Number(row?.n);
  }

  forges(): string[] {
    // Jumps from value to value in the index: there are few values and many pull requests.
    const next = `SELECT min(forge) FROM pr_mappings WHERE state = 'open'`;
    return this.#db
      .all(
        `WITH RECURSIVE d (v) AS (${next} UNION ALL SELECT (${next} AND forge > d.v) FROM d WHERE d.v IS NOT NULL)
         SELECT v FROM d WHERE v IS NOT NULL`,
      )
      .map(({ v }) => String(v));
  }

  repositories(forge: string): string[] {
    const next = 'SELECT min(repo) FROM pr_mappings WHERE forge = ?1';
    return this.#db
      .all(
        `WITH RECURSIVE d (v) AS (${next} UNION ALL SELECT (${next} AND repo > d.v) FROM d WHERE d.v IS NOT NULL)
         SELECT v FROM d WHERE v IS NOT NULL`,
        forge,
      )
      .map(({ v }) => String(v));
  }

  open(forge: string, repo: string): Place[] {
    return this.#db
      .all(
        `SELECT m.repo, m.number FROM pr_mappings m ${BY_STATE}
         WHERE m.state = 'open' AND m.forge = ? AND m.repo = ? AND ${OWNER_LIVES} ORDER BY m.number`,
        forge,
        repo,
      )
      .map((row) => ({ repo: String(row.repo), number: Number(row.number) }))
      .filter(({ number }) => Number.isSafeInteger(number));
  }

  jobs(forge: string, most: number): string[] {
    return this.#db
      .all(
        `SELECT DISTINCT m.job_id FROM pr_mappings m ${BY_STATE} WHERE m.state = 'open' AND m.forge = ? AND ${OWNER_LIVES} LIMIT ?`,
        forge,
        most,
      )
      .map((row) => String(row.job_id));
  }
}
