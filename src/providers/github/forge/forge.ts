import type { MayAct } from '../../../base/concurrency/mayAct.ts';
import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { ForgeOperation, PrAddress } from '../../../contract/forge/forge.ts';
import type { RemoteForge } from '../../../contract/forge/remoteForge.ts';
import { Mirrors } from '../../../git/mirror.ts';
import { expectText } from '../../rest/expectedValues.ts';
import { readAnswer } from '../../rest/lenientReader.ts';
import { readListedItems } from '../../rest/readListedItems.ts';
import { readLargeDiff, type DiffEnds } from '../../rest/readLargeDiff.ts';
import type { ForgeActions, ForgeLookups } from '../../rest/operations.ts';
import { createGithubCredentials, type GithubAccounts } from '../app/credentials.ts';
import { GithubClient } from './client.ts';
import { createGithubPr, findCreatedGithubPr } from './createGithubPr.ts';
import { createGithubRepo, findCreatedGithubRepo } from './createGithubRepo.ts';
import { toGithubPrDetail, GITHUB, toRestPrStatus, toGithubThread } from './describe.ts';
import { findGithubMerge, mergeGithubPr } from './mergeGithubPr.ts';
import { Members } from './members.ts';
import { listGithubHindrances, findMemberAuthors, collectGithubNews } from './news.ts';
import { readGithubPullRequest } from './readGithubPullRequest.ts';
import {
  findGithubReview,
  resolveGithubThread,
  splitGithubReview,
  reviewGithubPr,
} from './reviewGithubPr.ts';
import { splitGithubSlug, type GithubSettings } from './settings.ts';
import {
  approveGithubPr,
  findGithubApproval,
  findGithubComment,
  postGithubComment,
  replyToGithubComment,
} from './commentsAndApprovals.ts';
import { MAX_DIFF_BYTES } from '../../account/answerBody.ts';
import { expectDiff, expectAnsweredObject } from '../../rest/expectAnsweredObject.ts';
import { readRestPr } from './readRestPr.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { Traces } from '../../rest/traces.ts';
import { readGraphqlProblems, toGraphqlRefusal } from './graphqlProblems.ts';
import { TRACED_AT_ONCE, buildTracesQuery } from './queries.ts';

const CONSISTENCY_MS = 10_000;

/** One question for a hundred pull requests. */
const createGithubTraces = (client: GithubClient): Traces =>
  new Traces({
    windowMs: CONSISTENCY_MS,
    async ask(prs) {
      const texts: (string | null | undefined)[] = [];
      for (let from = 0; from < prs.length; from += TRACED_AT_ONCE) {
        texts.push(...(await askGithubTraces(client, prs.slice(from, from + TRACED_AT_ONCE))));
      }
      return texts;
    },
  });

type TracedRepos = Record<string, { pullRequest: unknown } | null>;

async function askGithubTraces(
  client: GithubClient,
  prs: readonly PrAddress[],
): Promise<(string | null | undefined)[]> {
  const variables: Record<string, string | number> = {};
  prs.forEach((pr, n) => {
    const { owner, repo } = client.place(pr.repo);
    Object.assign(variables, { [`o${n}`]: owner, [`r${n}`]: repo, [`n${n}`]: pr.number });
  });
  const refusedParts = new Set<unknown>();
  const what = 'the watched pull requests';
  const answer = await client.run(what, async (octokit) => {
    try {
      const data = await octokit.graphql<TracedRepos>(buildTracesQuery(prs.length), variables);
      return expectAnsweredObject(client.server, what, data);
    } catch (error) {
      // Some are gone or closed to the token: the answer still holds the others.
      const { data } = Object(error);
      if (error instanceof SvcError || data === null || typeof data !== 'object')
        throw toGraphqlRefusal(error);
      for (const { type, path } of readGraphqlProblems(error))
        if (type !== 'NOT_FOUND') refusedParts.add(path[0]);
      return data as TracedRepos;
    }
  });
  return prs.map((_, n) => {
    const glance = answer[`p${n}`];
    if (glance?.pullRequest != null) return JSON.stringify(glance);
    // A pull request that the answer does not name may still exist, so it is read.
    if (glance === undefined && !refusedParts.has(undefined)) return null;
    // A refused pull request is read, so that the refusal is reported; one that is gone is not. An
    // error without a name may be about any of them.
    return refusedParts.has(`p${n}`) || refusedParts.has(undefined) ? 'refused' : undefined;
  });
}

/** The diff as GitHub makes it: of at most 300 files and 20,000 lines. Throws SvcError. */
const readGithubDiff = (client: GithubClient, slug: string, number: number): Promise<string> =>
  client.run(describePullRequest(slug, number), async (octokit) => {
    const { data, headers, status } = await octokit.rest.pulls.get({
      ...client.place(slug),
      pull_number: number,
      mediaType: { format: 'diff' },
      request: { fetch: client.fetchUpTo(MAX_DIFF_BYTES) },
    });
    // This media type gives text, which the client's types do not know.
    const text: unknown = data;
    const contentType = headers['content-type'] ?? null;
    return expectDiff(client.server, `the diff of ${describePullRequest(slug, number)}`, {
      text,
      contentType,
      status,
    });
  });

/**
 * The commits that GitHub compares. It has the newest commit, even of a fork, under a ref of the
 * pull request.
 */
async function readGithubDiffEnds(
  client: GithubClient,
  slug: string,
  number: number,
): Promise<DiffEnds> {
  const { base, head } = await readRestPr(client, { repo: slug, number });
  return { base: base.sha, head: head.sha, ref: `refs/pull/${number}/head` };
}

export interface GithubForgeOptions extends GithubAccounts {
  settings: GithubSettings;
  clock: Clock;
  mirrorsDir: string;
  /** Asked right before each push; the account client asks for its own requests. */
  mayAct: MayAct;
  /** A person also uses the account: only what svc has marked counts as svc's own. */
  selfIsPerson: boolean;
}

/** Git accepts any user name beside a token. */
const TOKEN_USER = 'x-access-token';

const MAX_LISTED = 500;

/**
 * GitHub, or a GitHub Enterprise server. Every request goes through the account client, but git
 * goes to the server directly.
 */
export function createGithubForge({
  settings,
  accountClient,
  appClient,
  clock,
  mirrorsDir,
  mayAct,
  selfIsPerson,
}: GithubForgeOptions): RemoteForge {
  const accounts = { accountClient, ...(appClient ? { appClient } : {}), clock };
  const client = new GithubClient(
    settings,
    createGithubCredentials(settings, accounts),
    accountClient.fetch,
  );
  const login = (slug: string, token: string) => {
    const { owner, repo } = client.place(slug);
    return {
      url: `${settings.web}/${owner}/${repo}.git`,
      username: TOKEN_USER,
      password: token,
    };
  };
  const mirrors = new Mirrors({
    dir: mirrorsDir,
    mayAct,
    network: async (slug) => login(slug, await client.readToken()),
    async renewLogin(slug, { password }) {
      const token = await client.renewToken(password);
      return token === null ? null : login(slug, token);
    },
  });
  /** The slug with its owner. */
  const full = (slug: string): string => {
    const { owner, repo } = client.place(slug);
    return `${owner}/${repo}`;
  };
  const traces = createGithubTraces(client);
  const members = new Members(client, clock);
  const service = { client, mirrors };
  const act: ForgeActions = {
    create_repo: (args, actor) => createGithubRepo(client, args, actor),
    create_pr: (args, actor) => createGithubPr(service, { ...args, repo: full(args.repo) }, actor),
    post_pr_comment: (args, actor) => postGithubComment(client, args, actor),
    reply_to_comment: (args, actor) => replyToGithubComment(client, args, actor),
    approve_pr: (args, actor) => approveGithubPr(client, args, actor),
    merge_pr: (args, actor) => mergeGithubPr(client, args, actor),
    review_pr: (args, actor) => reviewGithubPr(client, args, actor),
  };
  const look: ForgeLookups = {
    create_repo: (args, actor) => findCreatedGithubRepo(client, args, actor),
    create_pr: (args, actor) =>
      findCreatedGithubPr(service, { ...args, repo: full(args.repo) }, actor),
    post_pr_comment: (args, actor) => findGithubComment(client, args, actor),
    reply_to_comment: (args, actor) => findGithubComment(client, args, actor),
    approve_pr: (args, actor) => findGithubApproval(client, args, actor),
    merge_pr: (args, actor) => findGithubMerge(client, args, actor),
    review_pr: (args, actor) => findGithubReview(client, args, actor),
  };

  return {
    id: GITHUB,
    capabilities: { remote: true, createRepo: true, decisions: ['approve', 'request_changes'] },
    consistencyMs: CONSISTENCY_MS,
    doesOnce: new Set<ForgeOperation>(['create_repo', 'create_pr', 'merge_pr']),
    budget: () => accountClient.budget(),
    self: () => client.self(),
    healthcheck: () => client.health(),
    serves: (slug) => splitGithubSlug(settings, slug) !== null,
    canonical(slug) {
      const place = splitGithubSlug(settings, slug);
      return place && `${place.owner}/${place.repo}`.toLowerCase();
    },
    slugs: () => [],
    repos: () => mirrors.all(),
    dropMirror: (slug, request) => mirrors.drop(full(slug), request),
    workRefs: mirrors.workRefs(full),
    contents: mirrors.contents(full),
    source: async (slug, { fresh }) =>
      fresh ? mirrors.fetch(full(slug)) : mirrors.known(full(slug)),

    async checkRepository(slug) {
      const what = `repository ${slug}`;
      const repository = await client.get(what, ({ rest }) => rest.repos.get(client.place(slug)));
      readAnswer(client.server, what, () => expectText(repository.full_name, 'its name'));
    },

    async pullRequests(slug) {
      const what = `repository ${slug}`;
      const query = {
        ...client.place(slug),
        state: 'all',
        sort: 'created',
        direction: 'desc',
      } as const;
      const all = await client.list<Parameters<typeof toRestPrStatus>[0]>(
        what,
        ({ rest }, page) => rest.pulls.list({ ...query, ...page }),
        MAX_LISTED,
      );
      return readListedItems(client.server, what, all, toRestPrStatus);
    },
    pullRequest: async (slug, number) =>
      toGithubPrDetail(await readGithubPullRequest(client, slug, number)),
    async comments(slug, number) {
      const { pr, parts } = await readGithubPullRequest(client, slug, number);
      for (const part of ['comments', 'reviews', 'threads'] as const)
        parts.expectRead(part, describePullRequest(slug, number));
      return toGithubThread(pr);
    },
    diff: (slug, number) =>
      readLargeDiff({
        mirrors,
        slug: full(slug),
        ask: () => readGithubDiff(client, slug, number),
        ends: () => readGithubDiffEnds(client, slug, number),
      }),

    async news(prs) {
      return traces.news(prs, clock.now(), async ({ repo, number }) => {
        const self = await client.self();
        const githubPrData = await readGithubPullRequest(client, repo, number);
        const isMember = members.isMember.bind(members);
        const memberAuthors = await findMemberAuthors(githubPrData, self, isMember);
        const about = { self, selfIsPerson, now: clock.now(), members: memberAuthors };
        const news = collectGithubNews(githubPrData, about);
        const { mergeable, state } = githubPrData.pr;
        const hindrances = listGithubHindrances(githubPrData);
        const isOpen = state === 'OPEN';
        return { news, mergeable: mergeable === 'MERGEABLE', isOpen, hindrances };
      });
    },
    isMember: async (slug, [login]) => login !== undefined && members.isMember(slug, login),
    touch: (prs) => traces.forget(prs),
    resync: async () => [],
    reviewParts: splitGithubReview,
    resolveThread: (thread) => resolveGithubThread(client, thread),
    write: (operation, args, actor) => act[operation](args, actor),
    find: (operation, args, actor) => look[operation](args, actor),
  };
}
