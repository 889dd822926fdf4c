import type { pullRequestRoutes } from '../../routes/pullRequestRoutes.ts';
import type { Handlers } from '../handler.ts';
import { UNTRUSTED_CONTENT_POLICY } from '../replies/headers.ts';

/** Who acts on the local forge where the request does not say. */
const DEVELOPER = 'developer';

export const pullRequestHandlers = {
  jobPullRequest: ({ params }, { runner }) => runner.jobPullRequest(params.jobId, params.prId),
  async jobPullRequestDiff({ params, ctx }, { runner }) {
    const { head, text } = await runner.jobPullRequestDiff(params.jobId, params.prId);
    ctx.set('X-Head-Commit', head);
    ctx.body = text;
    ctx.type = 'text/plain; charset=utf-8';
  },
  async jobPicture({ params, query, ctx }, { runner }) {
    const { mime, bytes } = await runner.jobPicture(params.jobId, params.prId, query);
    ctx.attachment();
    ctx.set('Content-Security-Policy', UNTRUSTED_CONTENT_POLICY);
    ctx.set('Content-Type', mime);
    ctx.body = bytes;
  },
  reviews: ({ params }, { runner }) => runner.reviews(params.jobId),
  reviewPullRequest: ({ params, body, requestKey, by }, { runner }) =>
    runner.reviewPullRequest(params.jobId, params.prId, body, by, requestKey),
  approveInSvc: ({ params, body, requestKey, by }, { runner }) =>
    runner.approveInSvc(params.jobId, params.prId, body, by, requestKey),
  resolveReviewThread: ({ params }, { runner }) =>
    runner.resolveReviewThread(params.jobId, params.prId, params.threadId, true),
  unresolveReviewThread: ({ params }, { runner }) =>
    runner.resolveReviewThread(params.jobId, params.prId, params.threadId, false),
  forges: (_call, { runner }) => runner.forges(),
  forgeRepos: (_call, { runner }) => runner.forgeRepos(),
  pullRequests: ({ params }, { runner }) => runner.pullRequests(params.slug),
  pullRequest: ({ params }, { runner }) => runner.pullRequest(params.slug, params.n),
  async pullRequestDiff({ params, ctx }, { runner }) {
    ctx.body = await runner.pullRequestDiff(params.slug, params.n);
    ctx.type = 'text/plain; charset=utf-8';
  },
  approvePullRequest: ({ params, body, requestKey }, { runner }) =>
    runner.approvePullRequest(params.slug, params.n, body.author ?? DEVELOPER, requestKey),
  commentPullRequest: ({ params, body, requestKey }, { runner }) =>
    runner.commentPullRequest(
      params.slug,
      params.n,
      body.author ?? DEVELOPER,
      body.body,
      requestKey,
    ),
  mergePullRequest: ({ params, body, requestKey }, { runner }) =>
    runner.mergePullRequest(
      params.slug,
      params.n,
      { ...body, author: body.author ?? DEVELOPER },
      requestKey,
    ),
  closePullRequest: ({ params, body, requestKey }, { runner }) =>
    runner.closePullRequest(
      params.slug,
      params.n,
      { author: body.author ?? DEVELOPER, reason: body.reason ?? '' },
      requestKey,
    ),
  reopenPullRequest: ({ params, body, requestKey }, { runner }) =>
    runner.reopenPullRequest(
      params.slug,
      params.n,
      { author: body.author ?? DEVELOPER, reason: body.reason ?? '' },
      requestKey,
    ),
} satisfies Handlers<typeof pullRequestRoutes>;
