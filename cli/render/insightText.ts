import type { ListedInsight } from '../../src/schema/insight.ts';
import { pageText } from './pageText.ts';
import { printable, printableLine } from './printable.ts';

/** An insight with what names it for the other commands. */
function insightText(insight: ListedInsight): string {
  const { id, jobId, category, phase, at, text } = insight;
  const head = `${jobId} ${id}  ${category}  ${phase}  ${at.slice(0, 10)}`;
  const body = printable(text.trim()).replace(/^/gm, '  ');
  return `${printableLine(head)}\n${body}\n`;
}

/** A page of insights: the list, and a note on how much of it is shown. */
export const insightPage = (
  { insights, total }: { insights: readonly ListedInsight[]; total: number },
  offset: number,
) => ({
  list: insights.map(insightText).join('\n'),
  note: total === 0 ? 'No insights.\n' : pageText('insights', insights.length, offset, total),
});
