import type { Runner } from '../../../contract/runner/runner.ts';
import { DEFAULT_INSIGHTS } from '../../../base/agents/insights.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type {
  InsightFilter,
  InsightKey,
  InsightReader,
  ListedInsightRow,
} from '../../store/queries/insightReader.ts';
import { waitForNextTurn } from '../../../base/concurrency/waitForNextTurn.ts';

/** Jobs whose insights are read before other work gets its turn: some 10 ms. */
const READ_AT_ONCE = 5_000;

interface InsightRows {
  rows: ListedInsightRow[];
  total: number;
}

const compareNewestInsights = (a: InsightKey, b: InsightKey): number =>
  b.at - a.at ||
  (a.job_id < b.job_id ? -1 : Number(a.job_id > b.job_id)) ||
  (a.id < b.id ? -1 : Number(a.id > b.id));

/**
 * GET /insights: what the agents of all jobs have learned. A search, or a filter by job properties,
 * reads the insights of all jobs in slices, with pauses for other work.
 */
export const createInsights = (
  reader: InsightReader,
  readAtOnce = READ_AT_ONCE,
): Pick<Runner, 'searchInsights'> => {
  const search = async (
    filter: InsightFilter,
    limit: number,
    offset: number,
  ): Promise<InsightRows> => {
    const last = reader.readLastRow();
    let newest: InsightKey[] = [];
    let total = 0;
    for (let after = 0; after < last; after += readAtOnce) {
      const slice = { after, last: after + readAtOnce };
      const matches = reader.among(filter, slice, offset + limit);
      newest = [...newest, ...matches.newest].sort(compareNewestInsights).slice(0, offset + limit);
      total += matches.total;
      await waitForNextTurn();
    }
    return { rows: reader.these(newest.slice(offset)), total };
  };
  return {
    async searchInsights({ q = '', limit = DEFAULT_INSIGHTS, offset = 0, ...narrowed }) {
      const filter = { ...narrowed, words: q.split(/\s+/).filter(Boolean) };
      const isOfAll = filter.words.length === 0 && !filter.repo && !filter.category;
      const { rows, total } =
        isOfAll || filter.job !== undefined
          ? { rows: reader.page(filter, { limit, offset }), total: reader.total(filter) }
          : await search(filter, limit, offset);
      return {
        insights: rows.map(({ job_id: jobId, at, ...row }) => ({
          ...row,
          jobId,
          at: toIsoTime(at),
        })),
        total,
      };
    },
  };
};
