import type { BudgetMetric } from '../../src/domain/budgetScopes.ts';
import type { BudgetView } from '../../src/schema/budget.ts';
import { thousands } from '../jobs/jobText.ts';

/** Part of a cap from which on a budget is marked: as the runner warns. */
export const NEAR_FROM = 0.8;

/** How much of a budget is spent. */
export type BudgetMark = 'enough' | 'near' | 'spent';

const ONE: Readonly<Record<BudgetMetric, string>> = {
  usd: 'dollar',
  tokens: 'token',
  sessions: 'session',
  visits: 'visit',
  minutes: 'minute',
};

/** What is counted, as a heading: `Dollars`. */
export const METRIC_NAMES: Readonly<Record<BudgetMetric, string>> = {
  usd: 'Dollars',
  tokens: 'Tokens',
  sessions: 'Sessions',
  visits: 'Visits',
  minutes: 'Minutes',
};

const SET_BY: Readonly<Record<BudgetView['by'], string>> = {
  config: 'set in the configuration',
  workflow: 'set by the workflow',
  params: "set in the job's params",
  person: 'set or raised by a person',
};

export const setByText = (by: BudgetView['by']): string => SET_BY[by];

/** Metrics of which only whole numbers are counted. */
export const isWhole = (metric: BudgetMetric): boolean => metric !== 'usd' && metric !== 'minutes';

/** An amount as people write it, in words: `$4.20`, `1,200,000 tokens`, `1.5 minutes`. */
export function amountText(metric: BudgetMetric, amount: number): string {
  if (metric === 'usd') return `$${amount.toFixed(2)}`;
  const rounded = Math.round(amount * 10) / 10;
  return `${thousands(rounded)} ${ONE[metric]}${rounded === 1 ? '' : 's'}`;
}

/** Whose budget it is: `this job`, `the day 2026-11-22 (UTC)`, `repository acme/shop`. */
export function budgetName(
  { scope, key, window, metric }: Pick<BudgetView, 'scope' | 'key' | 'window' | 'metric'>,
  jobId?: string,
): string {
  if (scope === 'day') return `the day ${window} (UTC)`;
  if (scope === 'week') return `the week from Monday ${window} (UTC)`;
  if (scope === 'runner') return 'this runner';
  if (scope === 'session') return 'this session';
  if (scope === 'phase' && metric === 'visits')
    return `all visits of the phase ${key.slice(key.indexOf('/') + 1)}`;
  if (scope === 'phase') return 'this visit of the phase';
  if (key === jobId) return scope === 'job' ? 'this job' : 'this job with its sub-runs';
  return `${scope} ${key}`;
}

/** Part of the cap that is spent: 1 is all of it, and more where a call went over it. */
export const partOf = ({ spent, cap }: Pick<BudgetView, 'spent' | 'cap'>): number =>
  cap > 0 ? spent / cap : 1;

/** Whether a budget is spent, or nearly. */
export function markOf(budget: Pick<BudgetView, 'spent' | 'cap'>): BudgetMark {
  const part = partOf(budget);
  return part >= 1 ? 'spent' : part >= NEAR_FROM ? 'near' : 'enough';
}

/** Part of the cap that is spent, rounded down: what is not yet spent is never called 100 %. */
export const percentText = (budget: Pick<BudgetView, 'spent' | 'cap'>): string =>
  `${Math.floor(partOf(budget) * 100 + 1e-9)} %`;

/** Caps of a session and of a visit are raised by the job that they have stopped alone. */
export const canBeRaised = ({ scope }: Pick<BudgetView, 'scope'>): boolean =>
  scope !== 'session' && scope !== 'phase';

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
