import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReviewWrite } from '../../../src/contract/forge/review.ts';
import { removeMark } from '../../../src/git/marks.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import type { FakePr } from '../../support/forges/fakeGithub/state.ts';
import { GithubStage, REPO } from '../../support/forges/githubStage.ts';
import { remark, send } from '../../support/forges/reviewOf.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm github: reviewing');

const on =
  (run: (stage: GithubStage, pr: FakePr) => Promise<void>, author = 'ann') =>
  async () => {
    const stage = await GithubStage.open();
    const { state } = stage.github;
    state.commit(stage.repo, 'feature', { 'feature.txt': 'one\ntwo\nthree\n' });
    const pr = { title: 'A feature', body: '', head: 'feature', base: 'main', author };
    try {
      await run(stage, openPr(state, stage.repo, pr));
    } finally {
      await stage.end();
    }
  };
const review: Omit<ReviewWrite, 'head'> = {
  repo: REPO,
  number: 1,
  verdict: 'comment',
  body: 'Look.',
  comments: [remark()],
};

for (const [verdict, state] of [
  ['approve', 'APPROVED'],
  ['request_changes', 'CHANGES_REQUESTED'],
  ['comment', 'COMMENTED'],
] as const) {
  test(
    `${verdict} of another's pull request is one request with its comments, for the commit that was reviewed`,
    on(async ({ forge, github, repo }, pr) => {
      const head = github.state.readCommit(repo, 'feature');
      github.state.commit(repo, 'feature', { 'later.txt': 'x\n' });
      const comments = [remark(), remark({ line: 3, startLine: 2 })];
      await send(forge, { ...review, verdict, comments, head });
      assert.equal(
        pr.reviews.map((one) => [one.state, removeMark(one.body), one.commit]),
        [[state, 'Look.', head]],
      );
      assert.equal(
        pr.threads.map(({ line }) => line),
        [1, 3],
      );
      assert.is(github.writes(/\/pulls\/1\//), 1);
    }),
  );
}

test(
  'no one decides about their own pull request: nothing is sent',
  on(async ({ forge, github }) => {
    const refused = await catchRefusal(() =>
      send(forge, { ...review, verdict: 'request_changes' }),
    );
    assert.is(refused.code, 'conflict');
    assert.is(github.writes(/\/pulls\/1\//), 0);
  }, 'svc-robot'),
);

test(
  'a line that GitHub does not know refuses the whole review, and nothing of it was written',
  on(async ({ forge }, pr) => {
    const comments = [remark(), remark({ line: 40 })];
    assert.is(
      (await catchRefusal(() => send(forge, { ...review, comments }))).code,
      'bad-argument',
    );
    assert.equal([pr.reviews.length, pr.threads.length], [0, 0]);
  }),
);

test(
  'what svc wrote is marked, each comment by itself: read back as news it is svc’s own',
  on(async ({ forge }) => {
    await send(forge, review);
    const { news } = await forge.news([{ repo: REPO, number: 1 }]);
    const otherNews = news.filter(({ event }) => event.kind !== 'conflict');
    assert.equal(
      otherNews.map(({ event, own }) => [event.kind, own]),
      otherNews.map(({ event }) => [event.kind, true]),
    );
    assert.ok(otherNews.length >= 2, JSON.stringify(otherNews));
  }),
);

test.run();
