import { formatCsv } from '../../base/text/formatCsv.ts';
import type { Costs } from '../../contract/schema/policy/costs.ts';

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
