import type { StopAllReply } from '../../contract/schema/api/bodies.ts';
import type {
  BudgetList,
  BudgetsQuery,
  BudgetView,
  SetBudgetBody,
} from '../../contract/schema/policy/budget.ts';
import type { Pool, PoolToOpen } from '../../contract/schema/policy/pool.ts';
import type { Costs, CostsQuery } from '../../contract/schema/policy/costs.ts';
import type { Report, ReportQuery } from '../../contract/schema/api/report.ts';
import type { createTransport } from './transport.ts';

/** What jobs spend and may spend, and the stop of all of them. */
export function createSpendingMethods({
  json,
  open,
}: Pick<ReturnType<typeof createTransport>, 'json' | 'open'>) {
  return {
    stopAll: () => json<StopAllReply>('POST', '/stop-all', { body: {} }),
    budgets: (query: BudgetsQuery = {}) => json<BudgetList>('GET', '/budgets', { query }),
    setBudget: (scope: BudgetView['scope'], body: SetBudgetBody) =>
      json<BudgetList>('PUT', `/budgets/${scope}`, { body }),
    accounts: () => json<Pool[]>('GET', '/accounts'),
    retryAccount: (pool: string) =>
      json<Pool>('POST', '/accounts/retry', { body: { pool } satisfies PoolToOpen }),
    costs: (query: CostsQuery = {}) => json<Costs>('GET', '/costs', { query }),
    report: (query: ReportQuery = {}) => json<Report>('GET', '/report', { query }),
    /** The rows as a table. */
    costsCsv: async (query: CostsQuery = {}): Promise<string> =>
      (await open('GET', '/costs', { query, accept: 'text/csv' })).text(),
  };
}
