import type { Clock } from '../../lib/clock.ts';
import { SvcError } from '../../lib/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperation, ForgeOperations, PrNews } from '../forge.ts';
import type { Door } from '../broker/door.ts';
import type { RemoteForge } from '../broker/remoteForge.ts';
import { Mirrors } from '../mirror.ts';
import { GithubClient } from './client.ts';
import { createPr, findCreated } from './createPr.ts';
import { createRepo, findRepo } from './createRepo.ts';
import { detailOf, GITHUB, restStatusOf } from './describe.ts';
import { findMerge, mergePr } from './mergePr.ts';
import { newsOf } from './news.ts';
import { readPullRequest } from './readPullRequest.ts';
import { type GithubSettings, splitSlug } from './settings.ts';
import { approvePr, findApproval, findComment, postComment, replyToComment } from './talk.ts';
import { CONSISTENCY_MS, Traces } from './traces.ts';

export interface GithubForgeOptions {
  settings: GithubSettings;
  door: Door;
  clock: Clock;
  /** Absolute folder for the mirrors of its repositories. */
  mirrorsDir: string;
  /** A person uses the account as well: only what svc has marked counts as svc's own. */
  selfIsPerson: boolean;
}

/** Git takes any user name beside a token. */
const TOKEN_USER = 'x-access-token';

/** Pull requests that are listed at most. */
const MAX_LISTED = 500;

type Act = { [K in ForgeOperation]: (args: ForgeOperations[K], actor: ForgeActor) => Promise<ForgeChange> };
type Look = { [K in ForgeOperation]: (args: ForgeOperations[K], actor: ForgeActor) => Promise<ForgeChange | null> };

/** GitHub, or a GitHub Enterprise server. Every request goes through the door; git goes to the same server, by itself. */
export function createGithubForge({ settings, door, clock, mirrorsDir, selfIsPerson }: GithubForgeOptions): RemoteForge {
  const client = new GithubClient(settings, door.fetch);
  const { token, web } = settings;
  const mirrors = new Mirrors({
    dir: mirrorsDir,
    network: (slug) => {
      const { owner, repo } = client.place(slug);
      return { url: `${web}/${owner}/${repo}.git`, username: TOKEN_USER, password: token };
    },
  });
  /** With its owner. */
  const full = (slug: string): string => {
    const { owner, repo } = client.place(slug);
    return `${owner}/${repo}`;
  };
  const traces = new Traces(client);
  const desk = { client, mirrors };
  const act: Act = {
    create_repo: (args, actor) => createRepo(client, args, actor),
    create_pr: (args, actor) => createPr(desk, { ...args, repo: full(args.repo) }, actor),
    post_pr_comment: (args, actor) => postComment(client, args, actor),
    reply_to_comment: (args, actor) => replyToComment(client, args, actor),
    approve_pr: (args, actor) => approvePr(client, args, actor),
    merge_pr: (args, actor) => mergePr(client, args, actor),
  };
  const look: Look = {
    create_repo: (args, actor) => findRepo(client, args, actor),
    create_pr: (args, actor) => findCreated(desk, { ...args, repo: full(args.repo) }, actor),
    post_pr_comment: (args, actor) => findComment(client, args, actor),
    reply_to_comment: (args, actor) => findComment(client, args, actor),
    approve_pr: (args, actor) => findApproval(client, args, actor),
    merge_pr: (args, actor) => findMerge(client, args, actor),
  };

  return {
    id: GITHUB,
    capabilities: { remote: true, createRepo: true },
    consistencyMs: CONSISTENCY_MS,
    doesOnce: new Set<ForgeOperation>(['create_repo', 'create_pr', 'merge_pr']),
    budget: () => door.budget(),
    self: () => client.self(),
    serves: (slug) => splitSlug(settings, slug) !== null,
    slugs: () => [],
    repos: () => mirrors.all(),
    source: async (slug, { fresh }) => (fresh ? mirrors.fetch(full(slug)) : mirrors.known(full(slug))),

    pullRequests: (slug) =>
      client.run(`repository ${slug}`, async (octokit) => {
        const query = {
          ...client.place(slug),
          state: 'all' as const,
          sort: 'created' as const,
          direction: 'desc' as const,
          per_page: 100,
        };
        let listed = 0;
        const all = await octokit.paginate(octokit.rest.pulls.list, query, ({ data }, done) => {
          listed += data.length;
          if (listed >= MAX_LISTED) done();
          return data;
        });
        return all.slice(0, MAX_LISTED).map(restStatusOf);
      }),
    pullRequest: async (slug, number) => detailOf(await readPullRequest(client, slug, number)),
    comments: async (slug, number) => detailOf(await readPullRequest(client, slug, number)).thread,
    diff: (slug, number) =>
      client.run(`pull request ${slug}#${number}`, async (octokit) => {
        const { data } = await octokit.rest.pulls.get({
          ...client.place(slug),
          pull_number: number,
          mediaType: { format: 'diff' },
        });
        // With this media type the answer is a text, which the types of the client do not know.
        return String(data);
      }),

    async news(prs) {
      const changed = await traces.changed(prs, clock.now());
      const batch: { news: PrNews[]; problem: Error | null } = { news: [], problem: null };
      const seen: (() => void)[] = [];
      for (const { pr, read } of changed) {
        try {
          const self = await client.self();
          batch.news.push(...newsOf(await readPullRequest(client, pr.repo, pr.number), { self, selfIsPerson, now: clock.now() }));
          seen.push(read);
        } catch (error) {
          if (!(error instanceof SvcError)) throw error;
          batch.problem = error;
          // The others would fail as well; one that is gone must not keep them from being read.
          if (error.code === 'rate-limited' || error.code === 'unreachable') break;
        }
      }
      return { ...batch, delivered: () => seen.forEach((read) => void read()) };
    },
    touch: (prs) => traces.forget(prs),
    resync: async () => [],
    write: (operation, args, actor) => act[operation](args, actor),
    find: (operation, args, actor) => look[operation](args, actor),
  };
}
