import type { BudgetMetric, BudgetScope } from './budgetScopes.ts';

const SET_BY = {
  config: 'set in the configuration',
  workflow: 'set by the workflow',
  params: "set in the job's params",
  person: 'set or raised by a person',
} as const;

export const describeCapSource = (by: keyof typeof SET_BY): string => SET_BY[by];

/** The owner after "the budget of": `the day 2026-11-22 (UTC)`, `this job` for `jobId`. */
export function describeBudgetOwner(
  budget: { scope: BudgetScope; key: string; window: string; metric: BudgetMetric },
  jobId?: string,
): string {
  const { scope, key, window, metric } = budget;
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
