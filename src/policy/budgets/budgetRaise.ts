import type { JobContext } from '../../../machines/index.ts';
import { toCapRow } from './capRow.ts';
import {
  BUDGET_METRICS,
  type BudgetMetric,
  toCountedAmount,
  METRICS_OF,
} from '../../base/spending/budgetScopes.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Caller } from '../../contract/schema/runner/caller.ts';
import type { Exceeded } from '../../contract/schema/policy/exceeded.ts';

const isSameBudget = (one: Exceeded, other: Exceeded): boolean =>
  one.scope === other.scope &&
  one.key === other.key &&
  one.window === other.window &&
  one.metric === other.metric;

/**
 * The budgets that a job waits for: the one that parked it, then others that are spent. Throws
 * SvcError `not-possible-now` if none exists.
 */
export function listSpentBudgets(
  { parked }: JobContext,
  overruns: readonly Exceeded[],
): Exceeded[] {
  const first = parked?.exceeded;
  if (!first)
    throw new SvcError('not-possible-now', 'The job does not wait for a budget: omit `budget`.');
  return [first, ...overruns.filter((one) => !isSameBudget(one, first))];
}

/**
 * Raises what stopped a job, which continues with it: every spent budget that counts the metric, or
 * else the first one. Throws SvcError `invalid`.
 */
export function buildBudgetRaise(
  rows: RowReader,
  overruns: readonly Exceeded[],
  { given, at, by }: { given: Partial<Record<BudgetMetric, number>>; at: number; by: Caller },
): RowChange[] {
  return BUDGET_METRICS.flatMap((metric) => {
    const amount = given[metric];
    if (amount === undefined) return [];
    const counting = overruns.filter((one) => one.metric === metric);
    const raisedBudgets = counting.length > 0 ? counting : overruns.slice(0, 1);
    return raisedBudgets.map(({ scope, key, window }): RowChange => {
      if (!METRICS_OF[scope].includes(metric))
        throw new SvcError('invalid', `The budget of a ${scope} has no cap of ${metric}.`, {
          errors: [{ pointer: `/budget/${metric}`, message: `is not counted for a ${scope}` }],
        });
      const change = { scope, key, window, metric, raise: toCountedAmount(metric, amount) };
      return { op: 'put', table: 'budget_caps', row: toCapRow(rows, change, at, by) };
    });
  });
}

export const listOtherSpentBudgets = (
  context: JobContext,
  overruns: readonly Exceeded[],
): string[] =>
  context.parked?.kind === 'budget'
    ? listSpentBudgets(context, overruns)
        .slice(1)
        .map(({ text }) => text)
    : [];
