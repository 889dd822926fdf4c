import type { pullRequestRoutes } from '../../../contract/routes/pullRequestRoutes.ts';
import type { Handlers } from '../handler.ts';
import { UNTRUSTED_CONTENT_POLICY } from '../replies/headers.ts';

export const pullRequestHandlers = {
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
  resolveReviewThread: ({ params }, { runner }) =>
    runner.setReviewThread(params.jobId, params.prId, params.threadId, true),
  unresolveReviewThread: ({ params }, { runner }) =>
    runner.setReviewThread(params.jobId, params.prId, params.threadId, false),
  async pullRequestDiff({ params, ctx }, { runner }) {
    ctx.body = await runner.pullRequestDiff(params.slug, params.n);
    ctx.type = 'text/plain; charset=utf-8';
  },
} satisfies Handlers<typeof pullRequestRoutes>;
