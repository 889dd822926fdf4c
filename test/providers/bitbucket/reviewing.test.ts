import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReviewWrite } from '../../../src/contract/forge/review.ts';
import { removeMark } from '../../../src/git/marks.ts';
import { BitbucketStage, REPO } from '../../support/forges/bitbucketStage.ts';
import type { FakePr } from '../../support/forges/fakeBitbucket/state.ts';
import { remark, send } from '../../support/forges/reviewOf.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm bitbucket: reviewing');

const on = (run: (stage: BitbucketStage, pr: FakePr) => Promise<void>) => async () => {
  const stage = await BitbucketStage.open();
  const { state } = stage.bitbucket;
  state.commit(stage.repo, 'feature', { 'feature.txt': 'one\ntwo\nthree\n' });
  const pr = { title: 'A feature', description: '', head: 'feature', base: 'main', author: 'ann' };
  try {
    await run(stage, state.openPr(stage.repo, pr));
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
  ['approve', 'approved'],
  ['request_changes', 'changes_requested'],
] as const) {
  test(
    `${verdict} comes after the comments and the text`,
    on(async ({ forge }, pr) => {
      await send(forge, { ...review, verdict });
      assert.equal(
        pr.comments.map(({ raw, inline }) => [removeMark(raw), inline?.to ?? null]),
        [
          ['Why?', 1],
          ['Look.', null],
        ],
      );
      assert.equal(pr.reviews.get('svc-robot')?.state, state);
    }),
  );
}

test(
  'once there are new commits nothing more is written: Bitbucket takes no commit',
  on(async ({ forge, bitbucket, repo }, pr) => {
    const head = bitbucket.state.readCommit(repo, 'feature');
    bitbucket.state.commit(repo, 'feature', { 'later.txt': 'x\n' });
    const { code } = await catchRefusal(() => send(forge, { ...review, verdict: 'approve', head }));
    assert.is(code, 'conflict');
    assert.equal([pr.comments.length, pr.reviews.size], [0, 0]);
  }),
);

test.run();
