import type {
  ApproveInSvcBody,
  JobPullRequest,
  PictureQuery,
  ResolvedThread,
  Review,
  ReviewBody,
  SvcApproval,
} from '../../contract/schema/forge/review.ts';
import type { CommandOptions } from './commandOptions.ts';
import type { createTransport } from './transport.ts';

/** What the client asks about pull requests of jobs, on every forge. */
export function createReviewMethods({
  json,
  bytes,
  open,
}: Pick<ReturnType<typeof createTransport>, 'json' | 'bytes' | 'open'>) {
  const job = (id: string) => `/jobs/${encodeURIComponent(id)}`;
  const pr = (id: string, prId: string) => `${job(id)}/pull-requests/${encodeURIComponent(prId)}`;
  const thread = (id: string, prId: string, threadId: string) =>
    `${pr(id, prId)}/threads/${encodeURIComponent(threadId)}`;
  return {
    jobPullRequest: (id: string, prId: string) => json<JobPullRequest>('GET', pr(id, prId)),
    /** `head`: the commit that the changes end at. */
    async jobPullRequestDiff(id: string, prId: string): Promise<{ head: string; text: string }> {
      const response = await open('GET', `${pr(id, prId)}/diff`);
      return { head: response.headers.get('X-Head-Commit') ?? '', text: await response.text() };
    },
    jobPicture: (id: string, prId: string, query: PictureQuery) =>
      bytes(`${pr(id, prId)}/picture`, query),
    reviews: (id: string) => json<Review[]>('GET', `${job(id)}/reviews`),
    reviewPullRequest: (id: string, prId: string, body: ReviewBody, command?: CommandOptions) =>
      json<Review>('POST', `${pr(id, prId)}/review`, { body, ...command }),
    approveInSvc: (id: string, prId: string, body: ApproveInSvcBody, command?: CommandOptions) =>
      json<SvcApproval>('POST', `${pr(id, prId)}/approve-in-svc`, { body, ...command }),
    resolveReviewThread: (id: string, prId: string, threadId: string) =>
      json<ResolvedThread>('POST', `${thread(id, prId, threadId)}/resolve`),
    unresolveReviewThread: (id: string, prId: string, threadId: string) =>
      json<ResolvedThread>('POST', `${thread(id, prId, threadId)}/unresolve`),
  };
}
