import type { ListedInsight } from '../../src/contract/schema/workflow/insight.ts';

/** The same insight, as the agents of one or several jobs have written it; the newest first. */
export interface InsightGroup {
  newest: ListedInsight;
  all: readonly ListedInsight[];
}

/** Groups insights with the same category and, apart from spaces and case, the same text. Keeps their order. */
export function groupInsights(insights: readonly ListedInsight[]): InsightGroup[] {
  const groups = new Map<string, ListedInsight[]>();
  for (const insight of insights) {
    const text = insight.text.trim().replace(/\s+/g, ' ').toLowerCase();
    const key = `${insight.category}\n${text}`;
    const group = groups.get(key);
    if (group) group.push(insight);
    else groups.set(key, [insight]);
  }
  return [...groups.values()].flatMap((all) => {
    const [newest] = all;
    return newest ? [{ newest, all }] : [];
  });
}
