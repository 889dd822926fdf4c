import { toWrittenAmount } from '../../../src/base/spending/budgetScopes.ts';
import type { BudgetView } from '../../../src/contract/schema/policy/budget.ts';
import type { CostSum } from '../../../src/contract/schema/policy/costs.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { keyOfCall, spentIn } from './spentTruths.ts';
import type { Weekend } from './weekend.ts';

type Call = Tables['usage_calls'];

/** Waits that are part of the work: the report does not list them as stops. */
const NO_STOPS: ReadonlySet<string> = new Set(['event', 'subRuns', 'approval']);

const sumCalls = (calls: readonly Call[]): CostSum => {
  const total = (of: (call: Call) => number): number => calls.reduce((sum, c) => sum + of(c), 0);
  const microUsd = total(({ micro_usd }) => micro_usd ?? 0);
  const unpriced = total(({ micro_usd }) => (micro_usd === null ? 1 : 0));
  return {
    usd: microUsd === 0 && unpriced > 0 ? null : microUsd / 1_000_000,
    unpriced,
    calls: total(({ source }) => (source === 'none' ? 0 : 1)),
    estimated: total(({ source }) => (source === 'estimated' ? 1 : 0)),
    sessions: total(({ seq }) => (seq === 1 ? 1 : 0)),
    ms: total(({ ms }) => ms),
    inputTokens: total(({ input_tokens }) => input_tokens),
    outputTokens: total(({ output_tokens }) => output_tokens),
    cachedInputTokens: total(({ cached_input_tokens }) => cached_input_tokens),
    cacheWriteTokens: total(({ cache_write_tokens }) => cache_write_tokens),
    reasoningTokens: total(({ reasoning_tokens }) => reasoning_tokens),
    unreported: total(({ source }) => (source === 'none' ? 1 : 0)),
  };
};

const text = (value: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const differs = (what: string, sum: CostSum, calls: readonly Call[]): string[] => {
  const due = sumCalls(calls);
  return text(sum) === text(due) ? [] : [`${what}: ${text(sum)} and not ${text(due)}`];
};

/** The costs of the report: one row for each job of the ledger, and their sum. */
function wrongCosts({ world, report }: Weekend): string[] {
  if (!report) return ['no report'];
  const calls = world.store.rows.all('usage_calls');
  const ids = new Set(calls.map(({ subject }) => subject));
  return [
    ...differs('all', report.cost, calls),
    ...[...ids]
      .filter((id) => report.costs.filter(({ jobId }) => jobId === id).length !== 1)
      .map((id) => `${id} is not one row`),
    ...report.costs.flatMap(({ jobId, cost }) =>
      differs(
        `${jobId}`,
        cost,
        calls.filter(({ subject }) => subject === jobId),
      ),
    ),
  ];
}

/** What is spent of a budget by the ledger, as people write it. */
function sumSpent({ world }: Weekend, { scope, key, window, metric }: BudgetView): number {
  const calls = world.store.rows
    .all('usage_calls')
    .filter((call) => keyOfCall(scope, call) === (window === '' ? key : window));
  return toWrittenAmount(metric, spentIn(metric, calls));
}

/** The budgets of the report, but for those of visits: no call of a model is one. */
const wrongBudgets = (weekend: Weekend): string[] =>
  (weekend.report?.budgets ?? [])
    .filter(({ metric }) => metric !== 'visits')
    .flatMap((budget) => {
      const { scope, key, window, metric, spent } = budget;
      const due = sumSpent(weekend, budget);
      const what = `${scope} ${key}${window} ${metric}`;
      return Math.abs(spent - due) < 1e-9 ? [] : [`${what}: ${spent} and not ${due}`];
    });

/** The stops of the report: one for each job that has stopped and does not continue yet. */
function wrongStops({ world, report }: Weekend): string[] {
  const { runner } = world.life ?? {};
  const jobs = world.store.actors.list({ chart: 'job', limit: 1_000, offset: 0 }).rows;
  const due = jobs.flatMap(({ id }) => {
    const { parked, reason, status } = runner?.job(id) ?? {};
    if (status === 'failed' || status === 'escalated') return [`${id}: ${reason}`];
    return parked && !NO_STOPS.has(parked.kind) ? [`${id}: ${parked.reason}`] : [];
  });
  const stops = (report?.stops ?? []).map(({ jobId, reason }) => `${jobId}: ${reason}`);
  return [
    ...due.filter((one) => !stops.includes(one)).map((one) => `not shown: ${one}`),
    ...stops.filter((one) => !due.includes(one)).map((one) => `shown: ${one}`),
  ];
}

/** Where the report is not what the ledger and the jobs are, row by row. */
export const reportIsWrong = (weekend: Weekend): string[] => [
  ...wrongCosts(weekend),
  ...wrongBudgets(weekend),
  ...wrongStops(weekend),
];
