import type { BudgetScope } from '../../base/spending/budgetScopes.ts';
import { buildJsonValueSql } from '../../kernel/sqlite/broken/wholeNumbers.ts';
import type { Database } from '../../kernel/sqlite/database.ts';

/**
 * Jobs that wait for a budget: for a person who raises it, or by a timer for its next day or week.
 * Both are few.
 */
const WAITING = `SELECT job_id FROM job_list WHERE state = 'waiting' AND ask = 'budget'
  UNION SELECT actor FROM timers WHERE name = ?1`;

export class BudgetStopReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  listStoppedBy(scope: BudgetScope, key: string, timer: string): string[] {
    return this.#db
      .all(
        `SELECT w.job_id FROM (${WAITING}) w CROSS JOIN job_list l ON l.job_id = w.job_id CROSS JOIN job_summaries s ON s.job_id = w.job_id
         WHERE l.state = 'waiting' AND ${buildJsonValueSql('s.parked', '$.exceeded.scope')} = ?2 AND ${buildJsonValueSql('s.parked', '$.exceeded.key')} = ?3`,
        timer,
        scope,
        key,
      )
      .map((row) => String(row.job_id));
  }
}
