import type { ListedInsight } from '../../../src/contract/schema/workflow/insight.ts';
import { formatPageNote } from '../text/formatPageNote.ts';
import { toPrintable, toPrintableLine } from '../text/toPrintable.ts';

function formatInsight(insight: ListedInsight): string {
  const { id, jobId, category, phase, at, text } = insight;
  const head = `${jobId} ${id}  ${category}  ${phase}  ${at.slice(0, 10)}`;
  const body = toPrintable(text.trim()).replace(/^/gm, '  ');
  return `${toPrintableLine(head)}\n${body}\n`;
}

export const formatInsightPage = (
  { insights, total }: { insights: readonly ListedInsight[]; total: number },
  offset: number,
) => ({
  list: insights.map(formatInsight).join('\n'),
  note: total === 0 ? 'No insights.\n' : formatPageNote('insights', insights.length, offset, total),
});
