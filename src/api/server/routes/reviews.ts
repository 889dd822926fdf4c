import {
  ApproveInSvcBody,
  JobPullRequest,
  PictureQuery,
  ResolvedThread,
  Review,
  ReviewBody,
  ReviewList,
  SvcApproval,
} from '../../../contract/schema/forge/review.ts';
import { EmptyBody } from '../../../contract/schema/api/bodies.ts';
import { readCaller } from '../gates/access.ts';
import { UNTRUSTED_CONTENT_POLICY } from '../replies/headers.ts';
import { defineJsonRoute, defineRawRoute } from '../route.ts';

const PR = '/jobs/:jobId/pull-requests/:prId';
/** What a forge behind a network may answer to a read. */
const reads = ['not-found', 'forbidden', 'config-invalid', 'rate-limited', 'unreachable'] as const;
const refusals = [
  ...reads,
  'unauthorized',
  'conflict',
  'not-possible-now',
  'chart-error',
  'stopping',
  'store-failed',
] as const;

/**
 * The pull requests of a job, on every forge, and what a person says and decides about them. An id
 * such as `github:acme/shop#7` is written `github%3Aacme%2Fshop%237`. Reading one asks its forge
 * with the runner's credentials, so a credential is needed for it.
 */
export const reviewRoutes = [
  defineJsonRoute({
    name: 'jobPullRequest',
    access: 'write',
    method: 'GET',
    path: PR,
    summary:
      'A pull request of a job as its forge has it now: comments, review threads, checks, approvals, files in conflict, and what a review can decide.',
    reply: JobPullRequest,
    refusals: reads,
    handle: ({ params }, { runner }) => runner.jobPullRequest(params.jobId, params.prId),
  }),
  defineRawRoute({
    name: 'jobPullRequestDiff',
    access: 'write',
    method: 'GET',
    path: `${PR}/diff`,
    summary:
      'The changes of a pull request of a job, as a unified diff. X-Head-Commit is the commit that they end at, the `headCommit` of the pull request when they were read.',
    mime: 'text/plain',
    refusals: [...reads, 'not-possible-now'],
    async handle({ params, ctx }, { runner }) {
      const { head, text } = await runner.jobPullRequestDiff(params.jobId, params.prId);
      ctx.set('X-Head-Commit', head);
      ctx.body = text;
      ctx.type = 'text/plain; charset=utf-8';
    },
  }),
  defineRawRoute({
    name: 'jobPicture',
    access: 'read',
    method: 'GET',
    path: `${PR}/picture`,
    summary:
      'A picture (png, jpg, gif, webp, svg; at most 5 MiB) of a pull request of a job before or after its changes, from the repository on this disk; its forge is not asked.',
    mime: 'image/*',
    query: PictureQuery,
    refusals: ['not-found', 'bad-argument', 'too-large', 'config-invalid'],
    async handle({ params, query, ctx }, { runner }) {
      const { mime, bytes } = await runner.jobPicture(params.jobId, params.prId, query);
      ctx.attachment();
      ctx.set('Content-Security-Policy', UNTRUSTED_CONTENT_POLICY);
      ctx.set('Content-Type', mime);
      ctx.body = bytes;
    },
  }),
  defineJsonRoute({
    name: 'reviews',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/reviews',
    summary:
      'The reviews that were sent through svc to pull requests of a job, newest first, with the delivery of each part.',
    reply: ReviewList,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.reviews(params.jobId),
  }),
  defineJsonRoute({
    name: 'reviewPullRequest',
    access: 'write',
    method: 'POST',
    path: `${PR}/review`,
    summary:
      'Sends comments and a verdict as one review. Its job gets it at once, as one item; the forge in the background where it is behind a network. 409 if there are newer commits than `head`: nothing is sent.',
    body: ReviewBody,
    reply: Review,
    status: 201,
    refusals: [...refusals, 'invalid'],
    handle: ({ params, body, requestKey, ctx }, { runner }) =>
      runner.reviewPullRequest(params.jobId, params.prId, body, readCaller(ctx), requestKey),
  }),
  defineJsonRoute({
    name: 'approveInSvc',
    access: 'write',
    method: 'POST',
    path: `${PR}/approve-in-svc`,
    summary:
      'Approves one commit of a pull request for merges by its agent. svc keeps it; nothing is sent to the forge. A new commit voids it. 409 if there are newer commits than `head`.',
    body: ApproveInSvcBody,
    reply: SvcApproval,
    refusals,
    handle: ({ params, body, requestKey, ctx }, { runner }) =>
      runner.approveInSvc(params.jobId, params.prId, body, readCaller(ctx), requestKey),
  }),
  defineJsonRoute({
    name: 'resolveReviewThread',
    access: 'write',
    method: 'POST',
    path: `${PR}/threads/:threadId/resolve`,
    summary: 'Resolves a thread of comments on code.',
    body: EmptyBody,
    bodyRequired: false,
    reply: ResolvedThread,
    refusals,
    handle: ({ params }, { runner }) =>
      runner.resolveReviewThread(params.jobId, params.prId, params.threadId, true),
  }),
  defineJsonRoute({
    name: 'unresolveReviewThread',
    access: 'write',
    method: 'POST',
    path: `${PR}/threads/:threadId/unresolve`,
    summary: 'Opens a resolved thread of comments on code again.',
    body: EmptyBody,
    bodyRequired: false,
    reply: ResolvedThread,
    refusals,
    handle: ({ params }, { runner }) =>
      runner.resolveReviewThread(params.jobId, params.prId, params.threadId, false),
  }),
];
