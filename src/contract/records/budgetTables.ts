import type { BudgetMetric, BudgetScope } from '../../base/spending/budgetScopes.ts';
import type { Caller } from '../schema/runner/caller.ts';

/**
 * What jobs may spend; a part of `Tables`. Amounts are whole numbers: millionths of a dollar,
 * tokens, sessions, visits, and milliseconds of minutes.
 */
export interface BudgetTables {
  /** Caps that people have set or raised. `key` and `window` as in the ledger's sums. */
  budget_caps: {
    scope: BudgetScope;
    key: string;
    metric: BudgetMetric;
    /** Of a raise: the day or week that it is for; else empty. */
    window: string;
    /** In place of what the configuration says; null = that holds. */
    cap: number | null;
    /** Beyond the cap. */
    raised: number;
    at: number;
    by: Caller;
  };
  /**
   * What a job that has a slot holds of its budgets: until the slot is free again, the larger of
   * nothing and what it holds less what it has used since (`base_*`: its sums when it was held).
   */
  budget_holds: {
    job_id: string;
    root: string;
    repository: string | null;
    at: number;
    usd: number;
    tokens: number;
    sessions: number;
    minutes: number;
    base_usd: number;
    base_tokens: number;
    base_sessions: number;
    base_minutes: number;
  };
  /** Budgets of which most was spent: once for each cap and window. */
  budget_warnings: {
    scope: BudgetScope;
    key: string;
    metric: BudgetMetric;
    window: string;
    cap: number;
    /** The job that was at work. */
    job_id: string;
    at: number;
    text: string;
  };
  /** Tokens of metered calls whose price is not known; scope, key and window as in `usage_sums`. */
  unpriced_sums: {
    scope: BudgetScope;
    key: string;
    window: string;
    input_tokens: number;
    output_tokens: number;
  };
}
