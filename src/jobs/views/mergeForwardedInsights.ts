import type { Insight } from '../../contract/schema/job/job.ts';

export const MAX_FORWARDED = 100;
/** Most characters of their texts together. */
export const MAX_FORWARDED_CHARS = 32_000;

/**
 * Insights of several sub-runs as one list: oldest first, without duplicates (same category and
 * text), keeping the newest if there are too many (SUB-5).
 */
export function mergeForwardedInsights(lists: readonly (readonly Insight[])[]): Insight[] {
  const insights = lists
    .flat()
    .sort((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id));
  const seenTexts = new Set<string>();
  const unique = insights.filter(({ category, text }) => {
    const key = JSON.stringify([category, text.trim()]);
    if (seenTexts.has(key)) return false;
    seenTexts.add(key);
    return true;
  });
  const merged: Insight[] = [];
  let room = MAX_FORWARDED_CHARS;
  for (const insight of unique.reverse()) {
    room -= insight.text.length;
    if (room < 0 || merged.length === MAX_FORWARDED) break;
    merged.unshift(insight);
  }
  return merged;
}
