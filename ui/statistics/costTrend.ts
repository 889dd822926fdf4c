import type { CostRow, Costs } from '../../src/contract/schema/policy/costs.ts';

/** How a cost has changed against the period of the same length before. */
export interface CostTrend {
  tone: 'up' | 'down' | '';
  text: string;
}

const PERCENT = new Intl.NumberFormat('en', {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 0,
});

/** Beyond this factor, percents are harder to read than a factor. */
const MOST_PERCENT = 10;

/** Null where one of the two is not known, or nothing was spent in both. */
export function describeCostTrend(now: number | null, before: number | null): CostTrend | null {
  if (now === null || before === null) return null;
  if (before === 0) return now === 0 ? null : { tone: '', text: 'new' };
  const change = now / before - 1;
  if (change >= MOST_PERCENT) return { tone: 'up', text: `× ${Math.round(now / before)}` };
  const text = PERCENT.format(change);
  if (text === '0%') return { tone: '', text: 'same' };
  return { tone: change > 0 ? 'up' : 'down', text };
}

/** The dollars of each row of the period before, by its key; one that is missing there cost nothing. */
export function indexCostsBefore(
  before: Pick<Costs, 'rows' | 'total'>,
): (row: Pick<CostRow, 'keys'>) => number | null {
  const toKey = ({ keys }: Pick<CostRow, 'keys'>): string => JSON.stringify(keys);
  const earlierCosts = new Map(before.rows.map((row) => [toKey(row), row.usd]));
  // Beyond the limit of one answer nothing is known of a row.
  const missing = before.total > before.rows.length ? null : 0;
  return (row) => earlierCosts.get(toKey(row)) ?? (earlierCosts.has(toKey(row)) ? null : missing);
}

/** A row's part of the sum in whole percent; null where either is not known, or nothing was spent. */
export const computeCostShare = (
  { usd }: Pick<CostRow, 'usd'>,
  sum: Pick<CostRow, 'usd'>,
): number | null => (usd === null || sum.usd === null || sum.usd === 0 ? null : usd / sum.usd);
