import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import type { FakeComment, FakePr } from '../../support/forges/fakeGithub/state.ts';
import { GithubStage, REPO } from '../../support/forges/githubStage.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('scm github: numbers of comments');

/** One more than 32 bits hold: GitHub has such comments since 2024. */
const LARGE = 2 ** 31 + 5;
const PR = { repo: REPO, number: 1 };

const createComment = (id: number, body: string): FakeComment => ({
  id,
  author: 'ann',
  body,
  at: Date.UTC(2026, 0, 1),
  visibleAt: 0,
  association: 'MEMBER',
});

/** A pull request with two comments, two reviews, and a thread of two. */
const on =
  (run: (stage: GithubStage, pr: FakePr) => Promise<void>, first = LARGE) =>
  async () => {
    const stage = await GithubStage.open(new SimulatedClock());
    const { github, repo } = stage;
    github.state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
    const fields = { title: 'A', body: '', head: 'feature', base: 'main', author: 'ann' };
    const pr = openPr(github.state, repo, fields);
    pr.comments.push(createComment(first, 'One.'), createComment(first + 1, 'Two.'));
    const review = (id: number) => ({
      ...createComment(id, 'Hm.'),
      state: 'COMMENTED' as const,
      commit: '',
    });
    pr.reviews.push(review(first + 2), review(first + 3));
    const comments = [
      { ...createComment(first + 5, 'Because.'), replyTo: first + 4 },
      { ...createComment(first + 4, 'Why?'), replyTo: null },
    ];
    pr.threads.push({ id: 'T', path: 'feature.txt', line: 1, resolved: false, comments });
    const check = { name: 'test', status: 'COMPLETED' as const, at: 0 };
    pr.checks.set(github.state.readCommit(repo, 'feature'), [
      { ...check, id: first, conclusion: 'FAILURE' },
      { ...check, id: first + 1, conclusion: 'FAILURE' },
    ]);
    try {
      await run(stage, pr);
    } finally {
      await stage.end();
    }
  };

const readEventIds = async ({ forge }: GithubStage) => {
  const { news, problem } = await forge.news([PR]);
  assert.is(problem, null, String(problem));
  const { thread } = await forge.pullRequest(REPO, 1);
  const ids = news.map(({ event }) => event.externalId);
  assert.equal(new Set(ids).size, 8, 'every event has an id of its own');
  assert.equal(new Set(thread.map(({ id }) => id)).size, 6);
  return thread.map(({ id, inReplyTo }) => [id, inReplyTo]);
};

const listExpectedIds = (first: number) => [
  [`issue-${first}`, null],
  [`issue-${first + 1}`, null],
  [`review-${first + 2}`, null],
  [`review-${first + 3}`, null],
  [`thread-${first + 4}`, null],
  [`thread-${first + 5}`, `thread-${first + 4}`],
];

test(
  'comments whose numbers need more than 32 bits have their numbers, in their order, and are answered by them (EVT-2 TOOL-6)',
  on(async (stage, pr) => {
    assert.equal(await readEventIds(stage), listExpectedIds(LARGE));
    const args = { ...PR, body: 'Yes.', commentId: `thread-${LARGE + 4}` };
    const actor = { author: 'svc:job', at: 0, operationId: 'op' };
    await stage.forge.write('reply_to_comment', args, actor);
    assert.is(pr.threads[0]?.comments.at(-1)?.replyTo, LARGE + 4);
  }),
);

test(
  'an older server has the older field: it is asked for it after its first refusal, once',
  on(async (stage) => {
    stage.github.state.numbers = 'old';
    assert.equal(await readEventIds(stage), listExpectedIds(100));
    const questions = stage.github.seen.filter(({ path }) => path === '/graphql').length;
    await stage.forge.pullRequest(REPO, 1);
    const after = stage.github.seen.filter(({ path }) => path === '/graphql').length;
    assert.is(after - questions, 1);
  }, 100),
);

test(
  'where GitHub gives no number at all, two comments or two runs of a check are two all the same',
  on(async (stage) => {
    stage.github.state.numbers = 'none';
    assert.equal(
      (await readEventIds(stage)).map(([id]) => id),
      [0, 1, 2, 3, 5, 4].map((n, i) => {
        const kind = i < 2 ? 'issue' : i < 4 ? 'review' : 'thread';
        return `${kind}-N_${LARGE + n}`;
      }),
    );
  }),
);

test.run();
