import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatMark } from '../../../src/git/marks.ts';
import { mergePr, openPr } from '../../support/forges/fakeGithub/pulls.ts';
import type { FakeComment, FakePr } from '../../support/forges/fakeGithub/state.ts';
import { GithubStage, REPO } from '../../support/forges/githubStage.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('scm github: news');

const MINUTE = 60_000;
const ONE = [{ repo: REPO, number: 1 }];

interface World {
  stage: GithubStage;
  pr: FakePr;
  clock: SimulatedClock;
  /**
   * Polls once and returns the reported events, as `<kind> <author> <flags>`; `keep`: they are not
   * stored.
   */
  poll(keep?: boolean): Promise<string[]>;
  say(author: string, body: string, more?: Partial<FakeComment>): FakeComment;
}

const on = (run: (world: World) => Promise<void>) => async () => {
  const clock = new SimulatedClock();
  const stage = await GithubStage.open(clock);
  const { github, repo, forge } = stage;
  github.state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
  const pr = openPr(github.state, repo, {
    title: 'A',
    body: '',
    head: 'feature',
    base: 'main',
    author: 'svc-robot',
  });
  const poll = async (keep = false) => {
    clock.advance(MINUTE);
    const { news, confirmStored: delivered, problem } = await forge.news(ONE);
    if (problem) throw problem;
    if (!keep) delivered();
    return news.map(({ event, own, bot, member }) =>
      [event.kind, event.author, own && 'own', bot && 'bot', member && 'member']
        .filter(Boolean)
        .join(' '),
    );
  };
  const say: World['say'] = (author, body, more = {}) => {
    const now = clock.now();
    const comment = {
      id: github.state.id(),
      author,
      body,
      at: now,
      visibleAt: now,
      association: 'MEMBER',
      ...more,
    };
    pr.comments.push(comment);
    pr.updatedAt = now;
    return comment;
  };
  try {
    await run({ stage, pr, clock, poll, say });
  } finally {
    await stage.end();
  }
};

test(
  'everything that can happen to a pull request is reported in order, its end last (EVT-2)',
  on(async ({ stage: { github, repo }, pr, clock, poll, say }) => {
    say('ann', 'A comment.');
    clock.advance(1000);
    const at = clock.now();
    const createComment = (id: number, body: string): FakeComment => ({
      id,
      author: 'bob',
      body,
      at: at + id * 1000,
      visibleAt: 0,
      association: 'OWNER',
    });
    pr.reviews.push(
      { ...createComment(1, 'No.'), state: 'CHANGES_REQUESTED', commit: '' },
      { ...createComment(3, ''), state: 'APPROVED', commit: '' },
    );
    pr.reviews.push({ ...createComment(4, ''), state: 'COMMENTED', commit: '' });
    pr.threads.push({
      id: 'T',
      path: 'feature.txt',
      line: 3,
      resolved: false,
      comments: [{ ...createComment(2, 'Why?'), replyTo: null }],
    });
    const head = github.state.readCommit(repo, 'feature');
    pr.checks.set(head, [
      { id: 9, name: 'test', status: 'COMPLETED', conclusion: 'FAILURE', at: at + 5000 },
    ]);
    mergePr(github.state, repo, pr, 'ann', '');
    assert.equal(await poll(), [
      'commented ann member',
      'changes_requested bob member',
      'review_thread bob member',
      'approved bob member',
      'check_failed test member',
      'merged ann member',
    ]);
  }),
);

test(
  'comments of the same second in several threads are reported as they were written, not thread by thread (EVT-2)',
  on(async ({ stage: { forge }, pr, clock, poll }) => {
    const at = clock.now();
    const createReplyComment = (id: number, replyTo: number | null) => ({
      id,
      author: `author-${id}`,
      body: 'Hm.',
      at,
      visibleAt: 0,
      association: 'MEMBER',
      replyTo,
    });
    const place = { path: 'feature.txt', line: 3, resolved: false };
    pr.threads.push({
      ...place,
      id: 'T1',
      comments: [createReplyComment(901, null), createReplyComment(904, 901)],
    });
    pr.threads.push({
      ...place,
      id: 'T2',
      comments: [createReplyComment(902, null), createReplyComment(903, 902)],
    });
    pr.updatedAt = at;
    const order = [901, 902, 903, 904];
    assert.equal(
      await poll(),
      order.map((id) => `review_thread author-${id} member`),
    );
    const { thread: all } = await forge.pullRequest(REPO, 1);
    assert.equal(
      all.map(({ id }) => id),
      order.map((id) => `thread-${id}`),
    );
  }),
);

test(
  'a close names who closed it; a conflict is reported while it is open',
  on(async ({ stage: { github, repo }, pr, clock, poll }) => {
    github.state.commit(repo, 'main', { 'feature.txt': 'other\n' });
    assert.equal(await poll(), ['conflict conflict member']);
    Object.assign(pr, {
      state: 'CLOSED',
      closedAt: clock.now(),
      closedBy: 'ann',
      updatedAt: clock.now(),
    });
    assert.equal(await poll(), ['closed ann member']);
  }),
);

test(
  'what svc wrote is its own, what programs write is recognized, and an outsider is not a member',
  on(async ({ stage, poll, say }) => {
    stage.github.state.addUser('bot', 'helper[bot]', { type: 'Bot' });
    say('svc-robot', `Fixed.\n\n${formatMark('op')}`);
    say('helper[bot]', 'Coverage: 80 %', { association: 'CONTRIBUTOR' });
    say('outsider', `I am svc.\n\n${formatMark('op')}`, { association: 'NONE' });
    assert.equal(await poll(), [
      'commented svc-robot own member',
      'commented helper[bot] bot',
      'commented outsider',
    ]);
  }),
);

test(
  'the same thing has the same id in every poll; what was not stored is reported again',
  on(async ({ stage, poll, say, clock }) => {
    say('ann', 'One.');
    assert.is((await poll(true)).length, 1);
    assert.is((await poll()).length, 1, 'reported again, since it was not stored');
    const fresh = stage.makeForge();
    const ids = async () => (await fresh.news(ONE)).news.map(({ event }) => event.externalId);
    const first = await ids();
    assert.equal(first, [`github:${REPO}#1:commented:issue-1001`]);
    clock.advance(MINUTE);
    assert.equal(await ids(), first);
  }),
);

test(
  'a comment that GitHub shows late is not missed, though the pull request said before that something had changed',
  on(async ({ poll, say, clock }) => {
    await poll();
    await poll();
    assert.equal(await poll(), [], 'nothing new');
    say('ann', 'Late.', { visibleAt: clock.now() + MINUTE + 5_000 });
    assert.equal(await poll(), []);
    assert.equal(await poll(), ['commented ann member']);
  }),
);

test(
  'a very long text is shortened: it does not belong in the journal of a job',
  on(async ({ stage, say }) => {
    say('ann', 'x'.repeat(1_000_000));
    const { news } = await stage.forge.news(ONE);
    assert.is(news[0]?.event.text, `${'x'.repeat(16_384)}\n(983616 more characters)`);
  }),
);

test(
  'one that is gone does not keep the others from being reported',
  on(async ({ stage, say }) => {
    say('ann', 'Here.');
    const { news } = await stage.forge.news([
      { repo: REPO, number: 99 },
      { repo: 'acme/gone', number: 1 },
      ...ONE,
    ]);
    assert.equal(
      news.map(({ event }) => event.author),
      ['ann'],
    );
  }),
);

test(
  '80 open pull requests, asked after every minute for an hour: fewer than 500 requests that count, cold start and all',
  on(async ({ stage: { github, repo, forge }, clock, pr }) => {
    for (let number = 2; number <= 80; number += 1)
      repo.prs.push({ ...pr, number, comments: [], reviews: [], threads: [] });
    const all = repo.prs.map(({ number }) => ({ repo: REPO, number }));
    for (let minute = 0; minute < 60; minute += 1) {
      const { news, confirmStored: delivered } = await forge.news(all);
      assert.equal(news, []);
      delivered();
      clock.advance(MINUTE);
    }
    assert.ok(github.counted < 500, String(github.counted));
    console.log(`  requests that count in the hour: ${github.counted}`);
  }),
);

test(
  'an author whom GitHub calls a contributor is a member if the repository gives them a role; the answer is asked for once in ten minutes (EVT-2)',
  on(async ({ stage: { github, repo }, clock, poll, say }) => {
    for (const login of ['dora', 'eve', 'fay']) github.state.addUser(`${login}-token`, login);
    repo.roles.set('dora', 'write').set('fay', 'triage');
    const countPermissionRequests = () =>
      github.seen.filter(({ path }) => path.endsWith('/permission')).length;
    for (const login of ['dora', 'eve', 'fay', 'gone'])
      say(login, 'Hm.', { association: login === 'dora' ? 'CONTRIBUTOR' : 'NONE' });
    say('ann', 'Hm.');
    const all = [
      'commented dora member',
      'commented eve',
      'commented fay member',
      'commented gone',
      'commented ann member',
    ];
    assert.equal(await poll(), all);
    assert.is(
      countPermissionRequests(),
      4,
      'a reader of a public repository and an unknown account are no members',
    );
    say('eve', 'Again.', { association: 'NONE' });
    assert.equal(await poll(), [...all, 'commented eve']);
    assert.is(countPermissionRequests(), 4);
    repo.roles.set('eve', 'write');
    clock.advance(11 * MINUTE);
    say('eve', 'Now I may write.', { association: 'NONE' });
    assert.is((await poll()).filter((line) => line === 'commented eve member').length, 3);
  }),
);

test(
  'of a private repository every reader is a member; where the token may not ask, GitHub’s own word counts',
  on(async ({ stage, poll, say }) => {
    stage.repo.private = true;
    stage.repo.roles.set('dora', 'read');
    say('dora', 'Hm.', { association: 'NONE' });
    say('eve', 'Hm.', { association: 'NONE' });
    assert.equal(await poll(), ['commented dora member', 'commented eve']);
    stage.repo.private = false;
    stage.github.state.addUser('reader', 'svc-reader', { scopes: ['read:org'] });
    const { news, problem } = await stage.makeForge({ token: 'reader' }).news(ONE);
    assert.is(problem, null);
    assert.equal(
      news.map(({ member }) => member),
      [false, false],
    );
  }),
);

test.run();
