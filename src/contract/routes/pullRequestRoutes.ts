import { requireBody, allowBody, type SomeRoutes } from './route.ts';
import {
  ApproveInSvcBody,
  JobPullRequest,
  PictureQuery,
  ResolvedThread,
  Review,
  ReviewBody,
  ReviewList,
  SvcApproval,
} from '../schema/forge/review.ts';
import {
  EmptyBody,
  ForgeActorBody,
  ForgeCommentBody,
  ForgeMergeBody,
  ForgeReasonBody,
} from '../schema/api/bodies.ts';
import { ForgeList } from '../schema/forge/forge.ts';
import {
  ForgeRepoList,
  PullRequest,
  PullRequestList,
  PullRequestThread,
} from '../schema/api/replies.ts';

const reads = ['not-found', 'forbidden', 'config-invalid', 'rate-limited', 'unreachable'] as const;

const reviewRefusals = [
  ...reads,
  'unauthorized',
  'conflict',
  'not-possible-now',
  'chart-error',
  'stopping',
  'store-failed',
] as const;

const forgeRefusals = [
  'not-found',
  'not-possible-now',
  'conflict',
  'stopping',
  'store-failed',
] as const;

export const pullRequestRoutes = {
  // The pull requests of a job, on every forge. Reading one uses the credentials of the runner, so it takes a credential.
  // An id such as `github:acme/shop#7` is written `github%3Aacme%2Fshop%237`.
  jobPullRequest: {
    access: 'write',
    team: 'viewer',
    summary:
      'A pull request of a job as its forge has it now: comments, review threads, checks, approvals, files in conflict, and what a review can decide.',
    reply: JobPullRequest,
    refusals: reads,
  },
  jobPullRequestDiff: {
    access: 'write',
    team: 'viewer',
    summary:
      'The changes of a pull request of a job, as a unified diff. X-Head-Commit is the commit that they end at, the `headCommit` of the pull request when they were read.',
    refusals: [...reads, 'not-possible-now'],
  },
  jobPicture: {
    access: 'read',
    team: 'viewer',
    summary:
      'A picture (png, jpg, gif, webp, svg; at most 5 MiB) of a pull request of a job before or after its changes, from the repository on this disk; its forge is not asked.',
    mime: 'image/*',
    query: PictureQuery,
    refusals: ['not-found', 'bad-argument', 'too-large', 'config-invalid'],
  },
  reviews: {
    access: 'read',
    team: 'viewer',
    summary:
      'The reviews that were sent through svc to pull requests of a job, newest first, with the delivery of each part.',
    reply: ReviewList,
    refusals: ['not-found'],
  },
  reviewPullRequest: {
    access: 'write',
    team: 'member',
    summary:
      'Sends comments and a verdict as one review. Its job gets it at once, as one item; the forge in the background where it is behind a network. 409 if there are newer commits than `head`: nothing is sent.',
    body: requireBody(ReviewBody),
    reply: Review,
    status: 201,
    refusals: [...reviewRefusals, 'invalid'],
  },
  approveInSvc: {
    access: 'write',
    team: 'member',
    summary:
      'Approves one commit of a pull request for merges by its agent. svc keeps it; nothing is sent to the forge. A new commit voids it. 409 if there are newer commits than `head`.',
    body: requireBody(ApproveInSvcBody),
    reply: SvcApproval,
    refusals: reviewRefusals,
  },
  resolveReviewThread: {
    access: 'write',
    team: 'member',
    summary: 'Resolves a thread of comments on code.',
    body: allowBody(EmptyBody),
    reply: ResolvedThread,
    refusals: reviewRefusals,
  },
  unresolveReviewThread: {
    access: 'write',
    team: 'member',
    summary: 'Opens a resolved thread of comments on code again.',
    body: allowBody(EmptyBody),
    reply: ResolvedThread,
    refusals: reviewRefusals,
  },
  // The local forge: pull requests of repositories on this disk. A slash in a slug is written `%2F`.
  forges: {
    access: 'read',
    team: 'viewer',
    summary: 'Configured forges: account, remaining request budget, and writes so far.',
    reply: ForgeList,
    refusals: [],
  },
  forgeRepos: {
    access: 'read',
    team: 'viewer',
    summary: 'Repositories that the local forge serves.',
    reply: ForgeRepoList,
    refusals: [],
  },
  pullRequests: {
    access: 'read',
    team: 'viewer',
    summary: 'Pull requests of a repository.',
    reply: PullRequestList,
    refusals: ['not-found'],
  },
  pullRequest: {
    access: 'read',
    team: 'viewer',
    summary: 'One pull request with its comments.',
    reply: PullRequestThread,
    refusals: ['not-found'],
  },
  pullRequestDiff: {
    access: 'read',
    team: 'viewer',
    summary: 'The changes of a pull request, as a unified diff.',
    refusals: ['not-found'],
  },
  approvePullRequest: {
    access: 'write',
    team: 'member',
    summary: 'Approves a pull request.',
    body: allowBody(ForgeActorBody),
    reply: PullRequest,
    refusals: forgeRefusals,
  },
  commentPullRequest: {
    access: 'write',
    team: 'member',
    summary: 'Comments on a pull request.',
    body: requireBody(ForgeCommentBody),
    reply: PullRequest,
    refusals: forgeRefusals,
  },
  mergePullRequest: {
    access: 'write',
    team: 'member',
    summary:
      'Merges a pull request. Where its base branch is checked out, the working tree must be clean.',
    body: allowBody(ForgeMergeBody),
    reply: PullRequest,
    refusals: forgeRefusals,
  },
  closePullRequest: {
    access: 'write',
    team: 'member',
    summary:
      'Closes a pull request without a merge. Its job is notified, and does not continue with the next phase.',
    body: allowBody(ForgeReasonBody),
    reply: PullRequest,
    refusals: forgeRefusals,
  },
  reopenPullRequest: {
    access: 'write',
    team: 'member',
    summary:
      'Opens a pull request again that was closed without a merge. Refused where a branch of it is gone, or nothing is left to merge.',
    body: allowBody(ForgeReasonBody),
    reply: PullRequest,
    refusals: forgeRefusals,
  },
} satisfies SomeRoutes;
