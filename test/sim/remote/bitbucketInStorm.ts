import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import { createBitbucketForge } from '../../../src/providers/bitbucket/forge/forge.ts';
import { readBitbucketSettings } from '../../../src/providers/bitbucket/forge/settings.ts';
import { FakeBitbucket } from '../../support/forges/fakeBitbucket/fakeBitbucket.ts';
import { iso } from '../../support/forges/fakeBitbucket/json.ts';
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

const TOKEN = 'ATATTsimulated';
/** Each gives one word on a pull request: Bitbucket keeps the last one alone. */
const REVIEWERS = Array.from({ length: 40 }, (_, n) => `reviewer-${n + 1}`);
/**
 * Requests an hour: more than Bitbucket gives, since the storm is a hundred times denser than a
 * day's work.
 */
const LIMIT = 100_000;

/** A Bitbucket in a storm. */
export function bitbucketInStorm(worldClock: Clock): StormForge {
  const bitbucket = new FakeBitbucket(worldClock);
  const { state } = bitbucket;
  bitbucket.limit = LIMIT;
  state.addUser(TOKEN, 'svc-robot', { workspace: 'acme' });
  for (const login of [...PEOPLE, ...REVIEWERS])
    state.addUser(`${login}-token`, login, { workspace: 'acme' });
  state.addUser('outsider-token', 'outsider');
  state.addUser('ci-token', 'ci', { workspace: 'acme', kind: 'access-token' });
  state.lagMs = 3_000;
  for (const repo of REPOS) state.addRepo(repo);
  const seenFrom = createSeenFrom(() => worldClock.now());
  const findPr = ({ repo, number }: StormPr) => ({
    repo: state.repo(repo),
    pr: state.pr(repo, number),
  });

  return {
    id: 'bitbucket',
    readsAtOnce: false,
    seen: bitbucket.seen,
    counted: () => bitbucket.counted,
    serial: () => state.id(),
    respond: (request) => bitbucket.respond(request),
    prs: () =>
      state.repos.flatMap(({ workspace, name, prs }) =>
        prs.map(({ id: number, head, state: is, description: body, comments }): StormPr => {
          const said = comments.map(({ raw }) => raw);
          return { repo: `${workspace}/${name}`, number, head, isOpen: is === 'OPEN', body, said };
        }),
      ),
    commit: (repo, head) => void state.commit(state.repo(repo), head, { [`${head}.txt`]: 'new\n' }),
    merge(of) {
      const { repo, pr } = findPr(of);
      state.mergePr(repo, pr, 'ann', '');
    },
    happen({ chance, later }, of) {
      const { repo, pr } = findPr(of);
      const now = worldClock.now();
      const visibleAt = seenFrom(chance, of);
      const createHappening = (kind: string, name: string, serial: number): Happening => ({
        externalId: `bitbucket:${prKey(of)}:${kind}:${name}`,
        pr: prKey(of),
        head: pr.head,
        kind,
        second: Math.floor(now / 1000),
        serial,
      });
      const say = (kind: string, author: string, more = {}) => {
        const { id } = state.say(pr, author, `remark ${state.id()}`, { visibleAt, ...more });
        return createHappening(kind, String(id), id);
      };
      const author = chance.pick(PEOPLE);
      const what = chance.int(1, 100);
      if (what <= 8) {
        say('commented', chance.pick(['ci', 'outsider']));
        return null;
      }
      const reviewer = REVIEWERS.find((login) => !pr.reviews.has(login));
      if (what <= 60 || (what <= 80 && reviewer === undefined)) return say('commented', author);
      if (what <= 80 && reviewer !== undefined) {
        const kind = chance.pick(['approved', 'changes_requested'] as const);
        pr.reviews.set(reviewer, { state: null, role: 'PARTICIPANT', at: null });
        later(visibleAt - now, () => {
          pr.reviews.set(reviewer, { state: kind, role: 'PARTICIPANT', at: now });
          pr.updatedAt = worldClock.now();
        });
        const name = `${state.user(reviewer).uuid}:${iso(now)}`;
        return createHappening(kind, name, state.id());
      }
      if (what <= 92)
        return say('review_thread', author, {
          inline: { path: 'a.ts', from: null, to: 1, outdated: false },
        });
      const commit = state.readCommit(repo, pr.head);
      const key = `ci-${state.id()}`;
      later(visibleAt - now, () =>
        pr.builds.push({ key, name: key, state: 'FAILED', commit, at: now }),
      );
      const name = `${commit.slice(0, 12)}:${key}:${iso(now)}`;
      return createHappening('check_failed', name, state.id());
    },
    create: (accountClient, clock) =>
      createBitbucketForge({
        mayAct: mayAlwaysAct,
        settings: readBitbucketSettings({
          token: TOKEN,
          username: 'svc-robot@acme.test',
          baseUrl: WEB,
        }),
        accountClient,
        clock,
        mirrorsDir: MIRRORS,
        selfIsPerson: false,
      }),
    remove: () => state.remove(),
  };
}
