import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isPartialAnswer,
  removeGraphqlGaps,
} from '../../../src/providers/github/forge/graphqlProblems.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { GithubStage, REPO, TOKEN } from '../../support/forges/githubStage.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm github: answers with parts missing');

const on =
  (run: (stage: GithubStage, pr: ReturnType<typeof openPr>) => Promise<void>) => async () => {
    const stage = await GithubStage.open();
    const { github, repo } = stage;
    github.state.addUser(TOKEN, 'svc-robot', { seesChecks: false });
    const head = github.state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
    const pr = openPr(github.state, repo, {
      title: 'A feature',
      body: '',
      head: 'feature',
      base: 'main',
      author: 'ann',
    });
    pr.checks.set(head, [
      { id: 7, name: 'build', status: 'COMPLETED', conclusion: 'SUCCESS', at: 0 },
    ]);
    try {
      await run(stage, pr);
    } finally {
      await stage.end();
    }
  };

const comment = (stage: GithubStage, body: string) =>
  stage.as('ann-token', 'POST', `/repos/${REPO}/issues/1/comments`, { body });

test(
  'a token that may not read checks reads everything else; the checks are unreadable, never green, and the permission is named',
  on(async (stage) => {
    await comment(stage, 'Please add a test.');
    const { checks, checksState, requiredChecks, thread, mergeState } =
      await stage.forge.pullRequest(REPO, 1);
    assert.equal(checks, []);
    assert.equal(
      thread.map(({ body }) => body),
      ['Please add a test.'],
    );
    assert.is(checksState.state, 'unreadable');
    assert.is(requiredChecks.state, 'unreadable');
    assert.match(
      checksState.reason,
      /permission Checks \(read\).*Resource not accessible by personal access token/,
    );
    assert.equal(mergeState, { word: 'clean', clean: true });
  }),
);

test(
  'comments and merges of such a pull request are reported, nothing is reported of its checks, and the poll has no problem (EVT-2)',
  on(async (stage, pr) => {
    await comment(stage, 'Please add a test.');
    const first = await stage.forge.news([{ repo: REPO, number: 1 }]);
    assert.equal(
      first.news.map(({ event }) => event.kind),
      ['commented'],
    );
    assert.is(first.problem, null);
    first.confirmStored();
    Object.assign(pr, {
      state: 'MERGED',
      mergedAt: Date.now(),
      mergedBy: 'ann',
      mergeCommit: 'c1',
      updatedAt: Date.now() + 1000,
    });
    const second = await stage.forge.news([{ repo: REPO, number: 1 }]);
    assert.ok(second.news.some(({ event }) => event.kind === 'merged'));
  }),
);

test(
  'a pull request that the token may not see at all is still an error',
  on(async (stage) => {
    assert.is(
      (await catchRefusal(() => stage.forge.pullRequest('acme/none', 1))).code,
      'not-found',
    );
  }),
);

test('an answer is usable where only accounts, forks, commits, checks or entries of lists are missing, by the paths of its errors', () => {
  const at = (...path: (string | number)[]) => ({ type: 'FORBIDDEN', message: '', path });
  const pr = ['repository', 'pullRequest'];
  assert.ok(
    isPartialAnswer([
      at(...pr, 'commits', 'nodes', 0, 'commit', 'statusCheckRollup', 'contexts', 'nodes', 3),
    ]),
  );
  assert.ok(isPartialAnswer([at(...pr, 'comments', 'nodes', 1), at(...pr, 'author')]));
  assert.not(isPartialAnswer([at(...pr)]));
  assert.not(isPartialAnswer([at('repository')]));
  assert.not(isPartialAnswer([at(...pr, 'reviews')]));
  assert.not(isPartialAnswer([at()]), 'an error that names no place');
  assert.not(isPartialAnswer([at(...pr, 'author'), at('repository')]), 'one of several');
  assert.not(isPartialAnswer([]));
});

test('nulls in lists are left out at any depth, and a list that is null is empty', () => {
  assert.equal(removeGraphqlGaps({ a: { nodes: [null, { b: null, nodes: null }] }, c: null }), {
    a: { nodes: [{ b: null, nodes: [] }] },
    c: null,
  });
});

test.run();
