import type { Caller } from '../schema/runner/caller.ts';
import type {
  ApproveInSvcBody,
  JobPullRequest,
  PictureQuery,
  ResolvedThread,
  Review,
  ReviewBody,
  SvcApproval,
} from '../schema/forge/review.ts';
import type { HeadedDiff, Picture } from './review.ts';
import type { RequestKey } from '../job/requestKey.ts';

/** The part of the runner with the pull requests of jobs, and what people say about them. */
export interface JobReviews {
  /**
   * A pull request of the job as its forge has it now, and what svc adds. Throws `not-found`, and
   * what the forge throws.
   */
  jobPullRequest(id: string, prId: string): Promise<JobPullRequest>;
  /** Throws the same, and `not-possible-now` for a branch that is pushed to all the time. */
  jobPullRequestDiff(id: string, prId: string): Promise<HeadedDiff>;
  /**
   * A picture of the pull request before or after its changes, from this disk alone. Throws
   * `bad-argument` for what is no picture, `too-large`, `not-found`.
   */
  jobPicture(id: string, prId: string, query: PictureQuery): Promise<Picture>;
  /** Reviews of the job's pull requests that were sent through svc, newest first. */
  reviews(id: string): Review[];
  /**
   * Comments and a decision as one review; the job hears of it in the same commit. Throws `conflict`
   * where `head` is not the newest commit (`data.newest`), `invalid`, `unauthorized` for an approval
   * by an unknown person.
   */
  reviewPullRequest(
    id: string,
    prId: string,
    body: ReviewBody,
    by: Caller,
    request?: RequestKey,
  ): Promise<Review>;
  /** Throws the same. */
  approveInSvc(
    id: string,
    prId: string,
    body: ApproveInSvcBody,
    by: Caller,
    request?: RequestKey,
  ): Promise<SvcApproval>;
  resolveReviewThread(
    id: string,
    prId: string,
    threadId: string,
    resolved: boolean,
  ): Promise<ResolvedThread>;
}
