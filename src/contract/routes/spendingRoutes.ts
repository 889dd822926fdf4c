import { requireBody, type SomeRoutes } from './route.ts';
import { Statistics, StatisticsQuery } from '../schema/api/statistics.ts';
import { BudgetList, BudgetsQuery, SetBudgetBody } from '../schema/policy/budget.ts';
import { Costs, CostsQuery } from '../schema/policy/costs.ts';
import { Report, ReportQuery } from '../schema/api/report.ts';
import { Pool, PoolList, PoolToOpen } from '../schema/policy/pool.ts';
import { formatCsv } from '../../base/text/formatCsv.ts';

/** As a table: one line a row, with names in the first. */
export function formatCostsCsv({ by, rows }: Pick<Costs, 'by' | 'rows'>): string {
  const lines = rows.map(({ keys, label, ...sum }) => [...keys, label, ...Object.values(sum)]);
  const [{ keys: _, label: _label, ...sum } = NO_ROW] = rows;
  return formatCsv([[...by, 'label', ...Object.keys(sum)], ...lines]);
}

const NO_ROW: Costs['rows'][number] = {
  keys: [],
  label: null,
  usd: null,
  unpriced: 0,
  calls: 0,
  estimated: 0,
  sessions: 0,
  ms: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  unreported: 0,
};

export const spendingRoutes = {
  statistics: {
    access: 'read',
    team: 'viewer',
    summary:
      'Jobs created and ended by day, outcomes by workflow, what jobs waited for, and tokens, of the last days.',
    query: StatisticsQuery,
    reply: Statistics,
    refusals: [],
  },
  budgets: {
    access: 'read',
    team: 'viewer',
    summary:
      'Budgets with their spent and reserved amounts: those that apply to a job, or, without `job`, those of day, week, runner and repositories.',
    query: BudgetsQuery,
    reply: BudgetList,
    refusals: ['not-found'],
  },
  setBudget: {
    access: 'write',
    team: 'admin',
    summary:
      'Sets caps of a job, campaign, repository, day, week or the runner, or raises them by an amount. Jobs that the budget has stopped continue where enough is left.',
    body: requireBody(SetBudgetBody),
    reply: BudgetList,
    refusals: ['not-found', 'stopping', 'store-failed'],
  },
  costs: {
    access: 'read',
    team: 'viewer',
    summary:
      'Usage and cost of models, by job, phase, campaign, repository, workflow, provider, model or day. With Accept: text/csv the rows as a table.',
    query: CostsQuery,
    reply: Costs,
    csv: formatCostsCsv,
    refusals: ['bad-argument'],
  },
  report: {
    access: 'read',
    team: 'viewer',
    summary:
      'What has happened since a time: jobs that ended, spending by budget and by job, jobs that stopped, why and what continues them, waiting approvals, and model accounts.',
    query: ReportQuery,
    reply: Report,
    refusals: ['bad-argument'],
  },
  accounts: {
    access: 'read',
    team: 'viewer',
    summary:
      'Accounts at the endpoints of models: whether sessions start, which limit holds until when, and how many jobs wait.',
    reply: PoolList,
    refusals: [],
  },
  retryAccount: {
    access: 'write',
    team: 'member',
    summary:
      'Retries an account now, for example after its bill is paid: wakes one job as a probe.',
    body: requireBody(PoolToOpen),
    reply: Pool,
    refusals: ['not-found'],
  },
} satisfies SomeRoutes;
