import type { MayAct } from '../../../base/concurrency/mayAct.ts';
import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { answerHealthcheck } from '../../rest/answers.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { AccountClient } from '../../../contract/forge/account.ts';
import type { RemoteForge } from '../../../contract/forge/remoteForge.ts';
import type { ForgeOperation } from '../../../contract/forge/forge.ts';
import { Mirrors } from '../../../git/mirror.ts';
import { expectText } from '../../rest/expectedValues.ts';
import { readAnswer } from '../../rest/lenientReader.ts';
import { readListedItems } from '../../rest/readListedItems.ts';
import { readLargeDiff } from '../../rest/readLargeDiff.ts';
import type { ForgeActions, ForgeLookups } from '../../rest/operations.ts';
import { toOneReviewPart } from '../../rest/reviewing.ts';
import type { MergeRequest, Project } from './answers.ts';
import { ArchivedProjects } from './archivedProjects.ts';
import { GitlabClient, PAGE } from './client.ts';
import { createGitlabPr, findCreatedGitlabPr } from './createGitlabPr.ts';
import { createGitlabRepo, findCreatedGitlabRepo } from './createGitlabRepo.ts';
import { toGitlabPrDetail, GITLAB, isConflictFree, toGitlabPrStatus } from './describe.ts';
import { findGitlabMerge, mergeGitlabPr } from './mergeGitlabPr.ts';
import { listGitlabHindrances, collectGitlabNews } from './news.ts';
import { People } from './people.ts';
import { getMergeRequest, readMergeRequestNews, readMergeRequest } from './readMergeRequest.ts';
import { findGitlabReview, resolveGitlabThread, reviewGitlabPr } from './reviewGitlabPr.ts';
import { type GitlabSettings, resolveGitlabPath } from './settings.ts';
import {
  approveGitlabPr,
  findGitlabApproval,
  findGitlabComment,
  postGitlabComment,
  replyToGitlabComment,
} from './commentsAndApprovals.ts';
import { CONSISTENCY_MS, createGitlabTraces } from './traces.ts';

export interface GitlabForgeOptions {
  settings: GitlabSettings;
  accountClient: AccountClient;
  clock: Clock;
  mirrorsDir: string;
  /** Asked right before each push; the account client asks for its own requests. */
  mayAct: MayAct;
  /** A person also uses the account: only what svc has marked counts as svc's own. */
  selfIsPerson: boolean;
}

/** Git accepts any user name beside a token. */
const TOKEN_USER = 'oauth2';

const MAX_LISTED = 500;

/**
 * GitLab.com or a self-managed GitLab. Every request goes through the account client, but git goes
 * to the server directly.
 */
export function createGitlabForge({
  settings,
  accountClient,
  clock,
  mirrorsDir,
  mayAct,
  selfIsPerson,
}: GitlabForgeOptions): RemoteForge {
  const client = new GitlabClient(settings, accountClient.fetch);
  const full = (slug: string): string => client.toFullPath(slug);
  const mirrors = new Mirrors({
    dir: mirrorsDir,
    mayAct,
    network: (slug) => ({
      url: `${settings.web}/${full(slug)}.git`,
      username: TOKEN_USER,
      password: settings.token,
    }),
  });
  const archivedProjects = new ArchivedProjects(client, clock);
  const traces = createGitlabTraces(client, archivedProjects);
  const people = new People(client, clock);
  const service = { client, mirrors };
  const act: ForgeActions = {
    create_repo: (args, actor) => createGitlabRepo(client, args, actor),
    create_pr: (args, actor) => createGitlabPr(service, { ...args, repo: full(args.repo) }, actor),
    post_pr_comment: (args, actor) => postGitlabComment(client, args, actor),
    reply_to_comment: (args, actor) => replyToGitlabComment(client, args, actor),
    approve_pr: (args) => approveGitlabPr(client, args),
    merge_pr: (args, actor) => mergeGitlabPr(client, clock, args, actor),
    review_pr: (args, actor) => reviewGitlabPr(client, args, actor),
  };
  const look: ForgeLookups = {
    create_repo: (args, actor) => findCreatedGitlabRepo(client, args, actor),
    create_pr: (args, actor) =>
      findCreatedGitlabPr(service, { ...args, repo: full(args.repo) }, actor),
    post_pr_comment: (args, actor) => findGitlabComment(client, args, actor),
    reply_to_comment: (args, actor) => findGitlabComment(client, args, actor),
    approve_pr: (args) => findGitlabApproval(client, args),
    merge_pr: (args, actor) => findGitlabMerge(client, args, actor),
    review_pr: (args, actor) => findGitlabReview(client, args, actor),
  };

  return {
    id: GITLAB,
    capabilities: { remote: true, createRepo: true, decisions: ['approve'] },
    consistencyMs: CONSISTENCY_MS,
    doesOnce: new Set<ForgeOperation>([
      'create_repo',
      'create_pr',
      'approve_pr',
      'merge_pr',
      'review_pr',
    ]),
    budget: () => accountClient.budget(),
    self: async () => (await client.self()).username,
    healthcheck: async () => answerHealthcheck((await client.account()).username),
    serves: (slug) => resolveGitlabPath(settings, slug) !== null,
    canonical: (slug) => resolveGitlabPath(settings, slug)?.toLowerCase() ?? null,
    slugs: () => [],
    repos: () => mirrors.all(),
    dropMirror: (slug, request) => mirrors.drop(full(slug), request),
    workRefs: mirrors.workRefs(full),
    contents: mirrors.contents(full),
    source: async (slug, { fresh }) =>
      fresh ? mirrors.fetch(full(slug)) : mirrors.known(full(slug)),

    async checkRepository(slug) {
      const what = `repository ${slug}`;
      const project = await client.rest.get<Partial<Project>>(what, client.project(slug));
      readAnswer(client.rest.server, what, () =>
        expectText(project.path_with_namespace, 'its name'),
      );
    },

    async pullRequests(slug) {
      const query = { state: 'all', order_by: 'created_at', sort: 'desc', per_page: PAGE };
      const path = `${client.project(slug)}/merge_requests`;
      const what = `repository ${slug}`;
      const all = await client.rest.list<MergeRequest>(what, path, query, MAX_LISTED);
      return readListedItems(client.rest.server, what, all, (mr) => toGitlabPrStatus(mr));
    },
    pullRequest: async (slug, number) =>
      toGitlabPrDetail(await readMergeRequest(client, slug, number)),
    async comments(slug, number) {
      const mergeRequestData = await readMergeRequest(client, slug, number);
      mergeRequestData.parts.expectRead('comments', describePullRequest(slug, number));
      return toGitlabPrDetail(mergeRequestData).thread;
    },
    diff: (slug, number) =>
      readLargeDiff({
        mirrors,
        slug: full(slug),
        ask: () =>
          client.rest.diff(
            describePullRequest(slug, number),
            `${client.mergeRequest(slug, number)}/raw_diffs`,
          ),
        async ends() {
          const { diff_refs: refs, sha } = await getMergeRequest(client, slug, number);
          const head = refs?.head_sha ?? sha ?? '';
          return { base: refs?.base_sha ?? '', head, ref: `refs/merge-requests/${number}/head` };
        },
      }),

    async news(prs) {
      return traces.news(prs, clock.now(), async ({ repo, number }) => {
        const { username: self } = await client.self();
        const doer: People['doer'] = (slug, user) => people.doer(slug, user);
        const mergeRequestNews = await readMergeRequestNews(client, repo, number);
        const about = { self, selfIsPerson, now: clock.now(), doer };
        const news = await collectGitlabNews(mergeRequestNews, about);
        const hindrances = listGitlabHindrances(mergeRequestNews, await archivedProjects.has(repo));
        return {
          news,
          mergeable: isConflictFree(mergeRequestNews.mr),
          isOpen: mergeRequestNews.mr.state === 'opened',
          hindrances,
        };
      });
    },
    isMember: async (slug, [login]) => login !== undefined && people.isMember(slug, login),
    touch: (prs) => traces.forget(prs),
    resync: async () => [],
    reviewParts: toOneReviewPart,
    resolveThread: (thread) => resolveGitlabThread(client, thread),
    write: (operation, args, actor) => act[operation](args, actor),
    find: (operation, args, actor) => look[operation](args, actor),
  };
}
