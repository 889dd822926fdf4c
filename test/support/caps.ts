import type { Account } from '../../src/policy/budgets/admitSession.ts';

/** A cap of the day from the configuration: $50, or 10 of anything else, of which nothing is spent. */
export const createCap = (metric: Account['metric']): Account => ({
  scope: 'day',
  key: '',
  window: '2026-11-22',
  metric,
  cap: metric === 'usd' ? 50_000_000 : 10,
  by: 'config',
  spent: 0,
  held: 0,
});
