/** What a budget is of. `phase`: one visit of a phase; `campaign`: a job with all below it. */
export const BUDGET_SCOPES = [
  'session',
  'phase',
  'job',
  'campaign',
  'repository',
  'day',
  'week',
  'runner',
] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** Scopes that a workflow, and the params of a job, may cap too: what belongs to the job alone. */
export const OWN_SCOPES = ['session', 'phase', 'job', 'campaign'] as const;

/** `visits`: of phases; `minutes`: of sessions. */
export const BUDGET_METRICS = ['usd', 'tokens', 'sessions', 'visits', 'minutes'] as const;
export type BudgetMetric = (typeof BUDGET_METRICS)[number];

const OF_ALL = ['usd', 'tokens', 'sessions', 'minutes'] as const;

/** What can be capped of a scope. Visits of `phase` are those of this phase in its job. */
export const METRICS_OF: Readonly<Record<BudgetScope, readonly BudgetMetric[]>> = {
  session: ['usd', 'tokens', 'minutes'],
  phase: BUDGET_METRICS,
  job: BUDGET_METRICS,
  campaign: OF_ALL,
  repository: OF_ALL,
  day: OF_ALL,
  week: OF_ALL,
  runner: OF_ALL,
};

/** Caps in dollars, tokens, numbers and minutes; what is left out has none. */
export type CapSet = Partial<Record<BudgetMetric, number>>;
export type Caps = Partial<Record<BudgetScope, CapSet>>;

/** Counted in millionths of a dollar, tokens, numbers, and milliseconds: whole numbers. */
export type Amounts = Record<BudgetMetric, number>;

export const NOTHING: Amounts = { usd: 0, tokens: 0, sessions: 0, visits: 0, minutes: 0 };

const UNITS: Amounts = { usd: 1_000_000, tokens: 1, sessions: 1, visits: 1, minutes: 60_000 };

/** What people write of a metric as it is counted. */
export const toCountedAmount = (metric: BudgetMetric, writtenAmount: number): number =>
  Math.round(writtenAmount * UNITS[metric]);

/** What is counted of a metric as people write it. */
export const toWrittenAmount = (metric: BudgetMetric, count: number): number =>
  count / UNITS[metric];

/** Part of a cap from which on people and agents are warned. */
export const NEAR_FROM = 0.8;

/** An amount as people write it, in words, such as `$4.20` or `1,500 tokens`. */
export function formatWrittenAmount(metric: BudgetMetric, amount: number): string {
  // A small amount is not shown as zero.
  if (amount > 0 && amount < (metric === 'usd' ? 0.01 : 1)) {
    const digits = amount.toLocaleString('en-US', { maximumSignificantDigits: 2 });
    return metric === 'usd' ? `$${digits}` : `${digits} ${metric}`;
  }
  if (metric === 'usd') return `$${amount.toFixed(2)}`;
  const roundedAmount = Math.round(amount * 10) / 10;
  return `${roundedAmount.toLocaleString('en-US')} ${roundedAmount === 1 ? metric.slice(0, -1) : metric}`;
}

export const formatAmount = (metric: BudgetMetric, count: number): string =>
  formatWrittenAmount(metric, toWrittenAmount(metric, count));
