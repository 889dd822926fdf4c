import type { InsightAccess } from '../contract/insights.ts';
import { DEFAULT_INSIGHTS } from '../domain/insights.ts';
import { iso } from '../domain/isoTime.ts';
import type { InsightReader } from '../durable/sqlite/insightReader.ts';

/** GET /insights: what the agents of all jobs have learned. */
export const createInsights = (
  reader: Pick<InsightReader, 'page' | 'total'>,
): Pick<InsightAccess, 'searchInsights'> => ({
  searchInsights({ q = '', limit = DEFAULT_INSIGHTS, offset = 0, ...narrowed }) {
    const filter = { ...narrowed, words: q.split(/\s+/).filter(Boolean) };
    return {
      insights: reader
        .page(filter, { limit, offset })
        .map(({ job_id: jobId, at, ...row }) => ({ ...row, jobId, at: iso(at) })),
      total: reader.total(filter),
    };
  },
});
