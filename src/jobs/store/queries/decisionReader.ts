import { NEEDS_A_LOOK, ON_TRACK } from '../../../base/jobs/labelRating.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { BrokenRows } from '../../../kernel/sqlite/broken/brokenRows.ts';
import { createBrokenRows } from '../jobRowGuard.ts';
import {
  toBrokenRow,
  formatRowId,
  pickReadableRows,
} from '../../../kernel/sqlite/broken/rowGuard.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';
import type { SqlValue } from '../../../kernel/sqlite/toSqlValue.ts';

/** A record of the decision layer with a person's label. */
export interface LabelledDecision {
  decision: Tables['decisions'];
  /** null = not labelled. */
  label: Omit<Tables['decision_labels'], 'job_id' | 'key'> | null;
}

/** How a phase was rated, or that it was flagged. */
export type RatedAs = 'on-track' | 'needs-a-look' | 'off-track' | 'flagged';

/** Which records; a missing member does not filter. */
export interface DecisionFilter {
  job?: string;
  key?: string;
  site?: string;
  ratedAs?: RatedAs;
  /** true: only those without an answer; false: only those with one. */
  skipped?: boolean;
  /** Epoch ms. */
  since?: number;
}

const PERCENT = 'round(d.goal * 100)';

const RATED: Readonly<Record<RatedAs, string>> = {
  'on-track': `${PERCENT} >= ${ON_TRACK}`,
  'needs-a-look': `${PERCENT} >= ${NEEDS_A_LOOK} AND ${PERCENT} < ${ON_TRACK}`,
  'off-track': `${PERCENT} < ${NEEDS_A_LOOK}`,
  flagged: 'd.flag IS NOT NULL',
};

function buildDecisionCondition(filter: DecisionFilter): { where: string; values: SqlValue[] } {
  const { job, key, site, ratedAs, skipped, since } = filter;
  const terms: string[] = [];
  const values: SqlValue[] = [];
  const term = (sql: string, ...bound: SqlValue[]) => {
    terms.push(sql);
    values.push(...bound);
  };
  if (job !== undefined) term('d.job_id = ?', job);
  if (key !== undefined) term('d.key = ?', key);
  if (site !== undefined) term('d.site = ?', site);
  if (ratedAs !== undefined) term(RATED[ratedAs]);
  if (skipped !== undefined) term(`d.skipped IS ${skipped ? 'NOT ' : ''}NULL`);
  if (since !== undefined) term('d.at >= ?', since);
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}

/** Columns of labels whose names the decisions have too. */
const LABEL =
  'l.verdict AS label_verdict, l.note AS label_note, l.at AS label_at, l.by AS label_by';

export class DecisionReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, brokenRows = createBrokenRows()) {
    this.#db = db;
    this.#broken = brokenRows;
  }

  /** Newest first. */
  page(
    filter: DecisionFilter,
    { limit, offset }: { limit: number; offset: number },
  ): LabelledDecision[] {
    const { where, values } = buildDecisionCondition(filter);
    const rows = this.#db
      .all(
        `SELECT d.*, ${LABEL} FROM decisions d
           LEFT JOIN decision_labels l ON l.job_id = d.job_id AND l.key = d.key
         ${where} ORDER BY d.at DESC, d.job_id, d.key LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      .map(({ ...row }) => row);
    return pickReadableRows(this.#broken, { table: 'decisions', key: KEY }, rows).map((row) =>
      toLabelledDecision(row, this.#broken),
    );
  }

  total(filter: DecisionFilter): number {
    const { where, values } = buildDecisionCondition(filter);
    return Number(this.#db.get(`SELECT count(*) AS n FROM decisions d ${where}`, ...values)?.n);
  }
}

const KEY = ['job_id', 'key'];

function toLabelledDecision(
  {
    label_verdict: verdict,
    label_note: note,
    label_at: at,
    label_by: by,
    ...decision
  }: Record<string, unknown>,
  brokenRows: BrokenRows,
): LabelledDecision {
  const label = { verdict, note, at, by };
  const problems =
    verdict === null ? [] : brokenRows.guard.findRowProblems('decision_labels', label);
  if (problems.length > 0)
    brokenRows.add(toBrokenRow('decision_labels', formatRowId(decision, KEY), problems));
  return {
    // A test compares the columns of the table with those of Tables.
    decision: decision as Tables['decisions'],
    label: verdict === null || problems.length > 0 ? null : (label as LabelledDecision['label']),
  };
}
