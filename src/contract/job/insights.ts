import type { Caller } from '../schema/runner/caller.ts';
import type {
  InsightsQuery,
  ListedInsight,
  PromoteInsightBody,
} from '../schema/workflow/insight.ts';
import type { ProposalSummary } from '../schema/workflow/proposal.ts';

/** What agents have learned, of all jobs. */
export interface InsightAccess {
  /** A page of them, the newest first, and how many there are in all. */
  searchInsights(query: InsightsQuery): Promise<{ insights: ListedInsight[]; total: number }>;
  /**
   * Proposes that the team's memory gets an insight: nothing is live before a person approves and
   * applies it. The same again gives the same proposal while it is undecided. Throws SvcError
   * `not-found`, `unauthorized` for a request without a credential, `not-possible-now` where there
   * is no tenant folder or the memory has the text, `bad-argument`.
   */
  promoteInsight(
    jobId: string,
    insightId: string,
    body: PromoteInsightBody,
    by: Caller,
  ): Promise<ProposalSummary>;
}
