import type { Ansis } from 'ansis';
import { formatCost, explainUnpriced } from '../../../src/base/spending/formatCost.ts';
import { formatTokens } from '../../../src/base/spending/tokenText.ts';
import type { Costs, CostSum } from '../../../src/contract/schema/policy/costs.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';

/** Short enough for a column: `940`, `12.3k`, `4.5M`. */
function shortenCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${(count / 1_000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

const sumCells = (sum: CostSum): string[] => [
  formatCost(sum),
  formatTokens(sum.inputTokens, sum, shortenCount),
  formatTokens(sum.cachedInputTokens, sum, shortenCount),
  formatTokens(sum.outputTokens, sum, shortenCount),
  String(sum.calls),
  String(sum.sessions),
];

export function formatCosts(
  { by, rows, sum, total, offset, prices }: Costs,
  style: { color: Ansis; columns: number },
): string {
  if (total === 0) return 'No model was used.\n';
  const hasLabels = rows.some(({ label }) => label !== null);
  const titles = ['COST', 'INPUT', 'CACHED', 'OUTPUT', 'CALLS', 'SESSIONS'];
  const header = [...by.map((part) => part.toUpperCase()), ...titles];
  const lines = rows.map(({ keys, label, ...row }) => [
    ...keys.map((key) => toPrintableLine(key ?? 'unknown')),
    ...sumCells(row),
    ...(hasLabels ? [toPrintableLine(label ?? '')] : []),
  ]);
  const all = ['all', ...by.slice(1).map(() => ''), ...sumCells(sum)];
  const end = offset + rows.length;
  const unpricedNote = explainUnpriced(sum, prices);
  const notes = [
    ...(end < total ? [`${rows.length} of ${total} rows; more: --offset ${end}`] : []),
    ...(unpricedNote === null
      ? []
      : [
          sum.unpriced > sum.unreported ? `${unpricedNote} See svc cost --by model.` : unpricedNote,
        ]),
  ];
  return `${renderTable(hasLabels ? [...header, 'REQUEST'] : header, [...lines, all], style)}${notes.map((note) => `${note}\n`).join('')}`;
}
