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

const said = (id: number, body: string): FakeComment => ({
  id,
  author: 'ann',
  body,
  at: Date.UTC(2026, 0, 1),
  visibleAt: 0,
  association: 'MEMBER',
});

/** A pull request with two comments, two reviews, and a thread of two. */
const on = (run: (stage: GithubStage, pr: FakePr) => Promise<void>) => async () => {
  const stage = await GithubStage.open(new SimulatedClock());
  const { github, repo } = stage;
  github.state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
  const fields = { title: 'A', body: '', head: 'feature', base: 'main', author: 'ann' };
  const pr = openPr(github.state, repo, fields);
  pr.comments.push(said(LARGE, 'One.'), said(LARGE + 1, 'Two.'));
  const review = (id: number) => ({ ...said(id, 'Hm.'), state: 'COMMENTED' as const, commit: '' });
  pr.reviews.push(review(LARGE + 2), review(LARGE + 3));
  const comments = [
    { ...said(LARGE + 5, 'Because.'), replyTo: LARGE + 4 },
    { ...said(LARGE + 4, 'Why?'), replyTo: null },
  ];
  pr.threads.push({ id: 'T', path: 'feature.txt', line: 1, resolved: false, comments });
  const check = { name: 'test', status: 'COMPLETED' as const, at: 0 };
  pr.checks.set(github.state.commitOf(repo, 'feature'), [
    { ...check, id: LARGE, conclusion: 'FAILURE' },
    { ...check, id: LARGE + 1, conclusion: 'FAILURE' },
  ]);
  try {
    await run(stage, pr);
  } finally {
    await stage.end();
  }
};

const idsOf = async ({ forge }: GithubStage) => {
  const { news, problem } = await forge.news([PR]);
  assert.is(problem, null, String(problem));
  const { thread } = await forge.pullRequest(REPO, 1);
  const ids = news.map(({ event }) => event.externalId);
  assert.equal(new Set(ids).size, 8, 'every event has an id of its own');
  assert.equal(new Set(thread.map(({ id }) => id)).size, 6);
  return thread.map(({ id, inReplyTo }) => [id, inReplyTo]);
};

const NUMBERED = [
  [`issue-${LARGE}`, null],
  [`issue-${LARGE + 1}`, null],
  [`review-${LARGE + 2}`, null],
  [`review-${LARGE + 3}`, null],
  [`thread-${LARGE + 4}`, null],
  [`thread-${LARGE + 5}`, `thread-${LARGE + 4}`],
];

test(
  'comments whose numbers need more than 32 bits have their numbers, in their order, and are answered by them (EVT-2 TOOL-6)',
  on(async (stage, pr) => {
    assert.equal(await idsOf(stage), NUMBERED);
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
    assert.equal(await idsOf(stage), NUMBERED);
    const questions = stage.github.seen.filter(({ path }) => path === '/graphql').length;
    await stage.forge.pullRequest(REPO, 1);
    const after = stage.github.seen.filter(({ path }) => path === '/graphql').length;
    assert.is(after - questions, 1);
  }),
);

test(
  'where GitHub gives no number at all, two comments or two runs of a check are two all the same',
  on(async (stage) => {
    stage.github.state.numbers = 'none';
    assert.equal(
      (await idsOf(stage)).map(([id]) => id),
      [0, 1, 2, 3, 5, 4].map((n, i) => {
        const kind = i < 2 ? 'issue' : i < 4 ? 'review' : 'thread';
        return `${kind}-N_${LARGE + n}`;
      }),
    );
  }),
);

test.run();
