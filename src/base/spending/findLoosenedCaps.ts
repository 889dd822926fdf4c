import {
  BUDGET_METRICS,
  BUDGET_SCOPES,
  type BudgetMetric,
  type BudgetScope,
  type Caps,
} from './budgetScopes.ts';

/** A cap of a lower layer that would loosen one above it, and so has no effect. */
export interface LoosenedCap {
  scope: BudgetScope;
  metric: BudgetMetric;
  given: number;
  cap: number;
}

export const findLoosenedCaps = (upper: Caps, lower: Caps): LoosenedCap[] =>
  BUDGET_SCOPES.flatMap((scope) =>
    BUDGET_METRICS.flatMap((metric): LoosenedCap[] => {
      const givenCap = lower[scope]?.[metric];
      const cap = upper[scope]?.[metric];
      return givenCap !== undefined && cap !== undefined && givenCap > cap
        ? [{ scope, metric, given: givenCap, cap }]
        : [];
    }),
  );
