import type { Tables } from '../../../contract/records/tables.ts';
import type { BrokenRows } from '../../../kernel/sqlite/broken/brokenRows.ts';
import { createBrokenRows } from '../jobRowGuard.ts';
import { pickReadableRows } from '../../../kernel/sqlite/broken/rowGuard.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';
import type { SqlValue } from '../../../kernel/sqlite/toSqlValue.ts';

type InsightRow = Tables['insights'];

/** Which insights; a missing member does not filter. */
export interface InsightFilter {
  words?: readonly string[];
  job?: string;
  repo?: string;
  category?: string;
}

export interface ListedInsightRow extends InsightRow {
  repo: string | null;
  workflow: string;
}

/** Identifies an insight and its place in the order, newest first. */
export type InsightKey = Pick<InsightRow, 'at' | 'job_id' | 'id'>;

const COLUMNS = 'i.job_id, i.id, i.at, i.phase, i.category, i.text, l.repo, l.workflow';
const NEWEST = 'ORDER BY i.at DESC, i.job_id, i.id';

const toContainsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

function buildInsightCondition({ words = [], job, repo, category }: InsightFilter) {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  const term = (sql: string, value: string | undefined) => {
    if (value === undefined) return;
    terms.push(sql);
    values.push(value);
  };
  term('i.job_id = ?', job);
  term('l.repo = ?', repo);
  term('i.category = ?', category);
  for (const word of words) term("i.text LIKE ? ESCAPE '\\'", toContainsPattern(word));
  return { terms, values };
}

const buildWhereClause = (terms: readonly string[]): string =>
  terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;

/** Insights of all jobs: a few per job. */
export class InsightReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, brokenRows = createBrokenRows()) {
    this.#db = db;
    this.#broken = brokenRows;
  }

  /** Newest first. Quick for all jobs, and for one. */
  page(
    filter: InsightFilter,
    { limit, offset }: { limit: number; offset: number },
  ): ListedInsightRow[] {
    const { terms, values } = buildInsightCondition(filter);
    // Starting from the jobs, SQLite would have to sort all rows.
    return this.#readable(
      this.#db.all(
        `SELECT ${COLUMNS} FROM insights i CROSS JOIN job_list l ON l.job_id = i.job_id
         ${buildWhereClause(terms)} ${NEWEST} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      ),
    );
  }

  /** Quick for all jobs, and for one. */
  total(filter: InsightFilter): number {
    const { terms, values } = buildInsightCondition(filter);
    const jobs = filter.repo === undefined ? '' : 'JOIN job_list l ON l.job_id = i.job_id';
    const sql = `SELECT count(*) AS n FROM insights i ${jobs} ${buildWhereClause(terms)}`;
    return Number(this.#db.get(sql, ...values)?.n);
  }

  /** The row of the newest job; 0 = none exists. */
  readLastRow(): number {
    return Number(this.#db.get('SELECT coalesce(max(rowid), 0) AS n FROM job_list')?.n);
  }

  /**
   * For the jobs after row `after` up to row `last`: the number of matches, and the newest ones.
   */
  among(
    filter: InsightFilter,
    { after, last }: { after: number; last: number },
    most: number,
  ): { total: number; newest: InsightKey[] } {
    const { terms, values } = buildInsightCondition(filter);
    const rows = this.#db.all(
      `SELECT i.at, i.job_id, i.id, count(*) OVER () AS n
       FROM job_list l NOT INDEXED CROSS JOIN insights i ON i.job_id = l.job_id
       ${buildWhereClause(['l.rowid > ?', 'l.rowid <= ?', ...terms])} ${NEWEST} LIMIT ?`,
      after,
      last,
      ...values,
      most,
    );
    return {
      total: Number(rows[0]?.n ?? 0),
      newest: rows.map(({ at, job_id, id }) => ({
        at: Number(at),
        job_id: String(job_id),
        id: String(id),
      })),
    };
  }

  these(keys: readonly InsightKey[]): ListedInsightRow[] {
    return this.#readable(
      this.#db.all(
        `SELECT ${COLUMNS} FROM json_each(?) k
         CROSS JOIN insights i ON i.job_id = k.value ->> 'job_id' AND i.id = k.value ->> 'id'
         CROSS JOIN job_list l ON l.job_id = i.job_id ${NEWEST}`,
        JSON.stringify(keys),
      ),
    );
  }

  #readable(rows: readonly Record<string, unknown>[]): ListedInsightRow[] {
    return pickReadableRows(this.#broken, { table: 'insights', key: ['job_id', 'id'] }, rows).map(
      toListedInsight,
    );
  }
}

const toListedInsight = (row: Record<string, unknown>): ListedInsightRow =>
  ({ ...row }) as Partial<ListedInsightRow> as ListedInsightRow;
