import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import { createGithubForge } from '../../../src/providers/github/forge/forge.ts';
import { readGithubSettings } from '../../../src/providers/github/forge/settings.ts';
import { FakeGithub } from '../../support/forges/fakeGithub/fakeGithub.ts';
import { mergePr } from '../../support/forges/fakeGithub/pulls.ts';
import type { FakePr, FakeRepo } from '../../support/forges/fakeGithub/state.ts';
import {
  createSeenFrom,
  type Happening,
  MIRRORS,
  PEOPLE,
  prKey,
  REPOS,
  type StormForge,
  type StormPr,
  WEB,
} from './stormForge.ts';

const TOKEN = 'ghp_simulated';

/** A GitHub in a storm. */
export function githubInStorm(worldClock: Clock): StormForge {
  const github = new FakeGithub(worldClock);
  const { state } = github;
  state.addUser(TOKEN, 'svc-robot');
  state.lagMs = 3_000;
  for (const repo of REPOS) state.addRepo(repo);
  const seenFrom = createSeenFrom(() => worldClock.now());
  const findPr = ({ repo: slug, number }: StormPr): { repo: FakeRepo; pr: FakePr } => {
    const repo = state.repo(slug);
    const pr = repo.prs.find((one) => one.number === number);
    if (!pr) throw new Error(`${slug} has no pull request ${number}`);
    return { repo, pr };
  };

  return {
    id: 'github',
    readsAtOnce: true,
    seen: github.seen,
    counted: () => github.counted,
    serial: () => state.id(),
    respond: (request) => github.respond(request),
    prs: () =>
      state.repos.flatMap(({ owner, name, prs }) =>
        prs.map(({ number, head, state: is, body, comments, reviews, threads }): StormPr => {
          const all = [...comments, ...reviews, ...threads.flatMap((thread) => thread.comments)];
          const said = all.map((one) => one.body);
          return { repo: `${owner}/${name}`, number, head, isOpen: is === 'OPEN', body, said };
        }),
      ),
    commit: (repo, head) => void state.commit(state.repo(repo), head, { [`${head}.txt`]: 'new\n' }),
    merge(of) {
      const { repo, pr } = findPr(of);
      mergePr(state, repo, pr, 'ann', '');
    },
    happen({ chance, later }, of) {
      const { repo, pr } = findPr(of);
      const now = worldClock.now();
      const [id, visibleAt] = [state.id(), seenFrom(chance, of)];
      const createHappening = (kind: string, name: string): Happening => ({
        externalId: `github:${prKey(of)}:${kind}:${name}`,
        pr: prKey(of),
        head: pr.head,
        kind,
        second: Math.floor(now / 1000),
        serial: id,
      });
      const author = chance.pick(PEOPLE);
      const comment = {
        id,
        author,
        body: `remark ${id}`,
        at: now,
        visibleAt,
        association: 'MEMBER',
      };
      pr.updatedAt = now;
      const what = chance.int(1, 100);
      if (what <= 8) {
        // Programs and outsiders talk as well, and no job may hear of it.
        const [by, association] = chance.pick([
          ['ci[bot]', 'CONTRIBUTOR'],
          ['outsider', 'NONE'],
        ] as const);
        pr.comments.push({ ...comment, author: by, association });
        return null;
      }
      if (what <= 60) {
        pr.comments.push(comment);
        return createHappening('commented', `issue-${id}`);
      }
      if (what <= 80) {
        const kind = chance.pick(['APPROVED', 'CHANGES_REQUESTED', 'COMMENTED'] as const);
        pr.reviews.push({ ...comment, state: kind, commit: '' });
        return createHappening(
          kind === 'COMMENTED' ? 'commented' : kind.toLowerCase(),
          `review-${id}`,
        );
      }
      if (what <= 92) {
        const open = pr.threads.filter(({ comments }) =>
          comments.every((one) => one.visibleAt <= now),
        );
        const thread = chance.is(0.4) ? open.at(-1) : undefined;
        if (thread) thread.comments.push({ ...comment, replyTo: thread.comments[0]?.id ?? null });
        else
          pr.threads.push({
            id: `T${id}`,
            path: 'a.ts',
            line: 1,
            resolved: false,
            comments: [{ ...comment, replyTo: null }],
          });
        return createHappening('review_thread', `thread-${id}`);
      }
      const head = state.readCommit(repo, pr.head);
      const check = {
        id,
        name: `ci ${id}`,
        status: 'COMPLETED',
        conclusion: 'FAILURE',
        at: now,
      } as const;
      later(visibleAt - now, () => pr.checks.set(head, [...(pr.checks.get(head) ?? []), check]));
      return createHappening('check_failed', `${head}:${check.name}:${id}`);
    },
    create: (accountClient, clock) =>
      createGithubForge({
        mayAct: mayAlwaysAct,
        settings: readGithubSettings({ token: TOKEN, baseUrl: WEB }),
        accountClient,
        clock,
        mirrorsDir: MIRRORS,
        selfIsPerson: false,
      }),
    remove: () => state.remove(),
  };
}
