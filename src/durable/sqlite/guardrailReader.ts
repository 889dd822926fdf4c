import type { Tables } from '../../records/tables.ts';
import type { Database } from './database.ts';

/** How often a rule has given a result. */
export interface ResultCount {
  rule: string;
  result: Tables['guardrail_decisions']['result'];
  times: number;
  /** Epoch ms. */
  last: number;
}

/** Sums over what guardrails have decided. */
export class GuardrailReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** For each rule and result that there is. */
  counts(): ResultCount[] {
    return this.#db
      .all(
        'SELECT rule, result, sum(times) AS n, max(at) AS last FROM guardrail_decisions GROUP BY rule, result',
      )
      .map(({ rule, result, n, last }) => ({
        rule: String(rule),
        result: result as ResultCount['result'],
        times: Number(n),
        last: Number(last),
      }));
  }
}
