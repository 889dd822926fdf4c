import type { Tables } from '../../records/tables.ts';
import type { Database, SqlValue } from './database.ts';

type InsightRow = Tables['insights'];

/** Which insights; what is left out narrows nothing. */
export interface InsightFilter {
  /** Words that must all be in the text. */
  words?: readonly string[];
  job?: string;
  repo?: string;
  category?: string;
}

/** An insight with what a list shows of its job. */
export interface ListedInsightRow extends InsightRow {
  repo: string | null;
  workflow: string;
}

const FROM = 'FROM insights i JOIN job_list l ON l.job_id = i.job_id';

/** The text as a pattern that contains it, wherever it is. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

function conditionOf({ words = [], job, repo, category }: InsightFilter) {
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
  for (const word of words) term("i.text LIKE ? ESCAPE '\\'", containing(word));
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}

/** Insights of all jobs. Reads them all: there are a few for each job. */
export class InsightReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A page, the newest first. */
  page(
    filter: InsightFilter,
    { limit, offset }: { limit: number; offset: number },
  ): ListedInsightRow[] {
    const { where, values } = conditionOf(filter);
    return this.#db
      .all(
        `SELECT i.job_id, i.id, i.at, i.phase, i.category, i.text, l.repo, l.workflow
         ${FROM} ${where} ORDER BY i.at DESC, i.job_id, i.id LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      .map((row) => ({ ...row }) as Partial<ListedInsightRow> as ListedInsightRow);
  }

  total(filter: InsightFilter): number {
    const { where, values } = conditionOf(filter);
    return Number(this.#db.get(`SELECT count(*) AS n ${FROM} ${where}`, ...values)?.n);
  }
}
