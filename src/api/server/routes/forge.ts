import {
  ForgeActorBody,
  ForgeCommentBody,
  ForgeMergeBody,
  ForgeReasonBody,
} from '../../../contract/schema/api/bodies.ts';
import { ForgeList } from '../../../contract/schema/forge/forge.ts';
import {
  ForgeRepoList,
  PullRequest,
  PullRequestList,
  PullRequestThread,
} from '../../../contract/schema/api/replies.ts';
import { defineJsonRoute, defineRawRoute } from '../route.ts';

/** Who acts on the local forge where the request does not say. */
const DEVELOPER = 'developer';

const PR = '/forges/local/repos/:slug/prs/:n';
const refusals = ['not-found', 'not-possible-now', 'conflict', 'stopping', 'store-failed'] as const;

/**
 * The local forge: pull requests of repositories on this disk. A slash in a slug is written `%2F`.
 */
export const forgeRoutes = [
  defineJsonRoute({
    name: 'forges',
    access: 'read',
    method: 'GET',
    path: '/forges',
    summary: 'Configured forges: account, remaining request budget, and writes so far.',
    reply: ForgeList,
    refusals: [],
    handle: (_call, { runner }) => runner.forges(),
  }),
  defineJsonRoute({
    name: 'forgeRepos',
    access: 'read',
    method: 'GET',
    path: '/forges/local/repos',
    summary: 'Repositories that the local forge serves.',
    reply: ForgeRepoList,
    refusals: [],
    handle: (_call, { runner }) => runner.forgeRepos(),
  }),
  defineJsonRoute({
    name: 'pullRequests',
    access: 'read',
    method: 'GET',
    path: '/forges/local/repos/:slug/prs',
    summary: 'Pull requests of a repository.',
    reply: PullRequestList,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.pullRequests(params.slug),
  }),
  defineJsonRoute({
    name: 'pullRequest',
    access: 'read',
    method: 'GET',
    path: PR,
    summary: 'One pull request with its comments.',
    reply: PullRequestThread,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.pullRequest(params.slug, Number(params.n)),
  }),
  defineRawRoute({
    name: 'pullRequestDiff',
    access: 'read',
    method: 'GET',
    path: `${PR}/diff`,
    summary: 'The changes of a pull request, as a unified diff.',
    mime: 'text/plain',
    refusals: ['not-found'],
    async handle({ params, ctx }, { runner }) {
      ctx.body = await runner.pullRequestDiff(params.slug, Number(params.n));
      ctx.type = 'text/plain; charset=utf-8';
    },
  }),
  defineJsonRoute({
    name: 'approvePullRequest',
    access: 'write',
    method: 'POST',
    path: `${PR}/approve`,
    summary: 'Approves a pull request.',
    body: ForgeActorBody,
    bodyRequired: false,
    reply: PullRequest,
    refusals,
    handle: ({ params, body, requestKey }, { runner }) =>
      runner.approvePullRequest(
        params.slug,
        Number(params.n),
        body.author ?? DEVELOPER,
        requestKey,
      ),
  }),
  defineJsonRoute({
    name: 'commentPullRequest',
    access: 'write',
    method: 'POST',
    path: `${PR}/comment`,
    summary: 'Comments on a pull request.',
    body: ForgeCommentBody,
    reply: PullRequest,
    refusals,
    handle: ({ params, body, requestKey }, { runner }) =>
      runner.commentPullRequest(
        params.slug,
        Number(params.n),
        body.author ?? DEVELOPER,
        body.body,
        requestKey,
      ),
  }),
  defineJsonRoute({
    name: 'mergePullRequest',
    access: 'write',
    method: 'POST',
    path: `${PR}/merge`,
    summary:
      'Merges a pull request. Where its base branch is checked out, the working tree must be clean.',
    body: ForgeMergeBody,
    bodyRequired: false,
    reply: PullRequest,
    refusals,
    handle: ({ params, body, requestKey }, { runner }) =>
      runner.mergePullRequest(
        params.slug,
        Number(params.n),
        {
          author: body.author ?? DEVELOPER,
          ...(body.head === undefined ? {} : { head: body.head }),
        },
        requestKey,
      ),
  }),
  defineJsonRoute({
    name: 'closePullRequest',
    access: 'write',
    method: 'POST',
    path: `${PR}/close`,
    summary:
      'Closes a pull request without a merge. Its job is notified, and does not continue with the next phase.',
    body: ForgeReasonBody,
    bodyRequired: false,
    reply: PullRequest,
    refusals,
    handle: ({ params, body, requestKey }, { runner }) =>
      runner.closePullRequest(
        params.slug,
        Number(params.n),
        { author: body.author ?? DEVELOPER, reason: body.reason ?? '' },
        requestKey,
      ),
  }),
  defineJsonRoute({
    name: 'reopenPullRequest',
    access: 'write',
    method: 'POST',
    path: `${PR}/reopen`,
    summary:
      'Opens a pull request again that was closed without a merge. Refused where a branch of it is gone, or nothing is left to merge.',
    body: ForgeReasonBody,
    bodyRequired: false,
    reply: PullRequest,
    refusals,
    handle: ({ params, body, requestKey }, { runner }) =>
      runner.reopenPullRequest(
        params.slug,
        Number(params.n),
        { author: body.author ?? DEVELOPER, reason: body.reason ?? '' },
        requestKey,
      ),
  }),
];
