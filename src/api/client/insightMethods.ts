import type {
  InsightsQuery,
  ListedInsight,
  PromoteInsightBody,
} from '../../contract/schema/workflow/insight.ts';
import type { Insight } from '../../contract/schema/job/job.ts';
import type { ProposalSummary } from '../../contract/schema/workflow/proposal.ts';
import type { createTransport } from './transport.ts';

/** What agents have learned. */
export function createInsightMethods({
  json,
  open,
}: Pick<ReturnType<typeof createTransport>, 'json' | 'open'>) {
  const of = (jobId: string): string => `/jobs/${encodeURIComponent(jobId)}/insights`;
  const one = (jobId: string, id: string): string => `${of(jobId)}/${encodeURIComponent(id)}`;
  return {
    /** A page of those of all jobs, the newest first, and how many there are in all. */
    async searchInsights(
      query: InsightsQuery = {},
    ): Promise<{ insights: ListedInsight[]; total: number }> {
      const response = await open('GET', '/insights', { query });
      const insights: ListedInsight[] = await response.json();
      return {
        insights,
        total: Number(response.headers.get('X-Total-Count') ?? insights.length),
      };
    },
    insights: (jobId: string) => json<Insight[]>('GET', of(jobId)),
    async removeInsight(jobId: string, id: string): Promise<void> {
      await open('DELETE', one(jobId, id));
    },
    promoteInsight: (jobId: string, id: string, body: PromoteInsightBody = {}) =>
      json<ProposalSummary>('POST', `${one(jobId, id)}/promote`, { body }),
  };
}
