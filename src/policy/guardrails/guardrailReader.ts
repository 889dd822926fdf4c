import { ANY_SUBJECT, GUARDRAIL_ACTS } from '../../base/agents/guardrails.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { BrokenRows } from '../../kernel/sqlite/broken/brokenRows.ts';
import { areCounts, isTime, reportLeftOutRows } from '../../kernel/sqlite/broken/wholeNumbers.ts';
import type { Database } from '../../kernel/sqlite/database.ts';

/** How often a rule has given a result. */
export interface ResultCount {
  rule: string;
  result: Tables['guardrail_decisions']['result'];
  times: number;
  last: number;
}

const READABLE = `${areCounts(['times'])} AND ${isTime('at')} AND result IN (${GUARDRAIL_ACTS.map((act) => `'${act}'`).join(', ')})`;

export class GuardrailReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, brokenRows: BrokenRows) {
    this.#db = db;
    this.#broken = brokenRows;
  }

  /** For each rule and result. */
  counts(): ResultCount[] {
    reportLeftOutRows(
      this.#db,
      this.#broken,
      { table: 'guardrail_decisions', key: ['job_id', 'rule', 'moment', 'subject'] },
      READABLE,
    );
    return this.#db
      .all(
        `SELECT rule, result, total(times) AS n, max(at) AS last FROM guardrail_decisions WHERE ${READABLE} AND subject <> '${ANY_SUBJECT}' GROUP BY rule, result`,
      )
      .map(({ rule, result, n, last }) => ({
        rule: String(rule),
        result: result as ResultCount['result'],
        times: Number(n),
        last: Number(last),
      }));
  }
}
