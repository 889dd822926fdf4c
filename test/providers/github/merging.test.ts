import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import type { FakePr } from '../../support/forges/fakeGithub/state.ts';
import { GithubStage, REPO } from '../../support/forges/githubStage.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm github: merging');

const PR = { repo: REPO, number: 1 };
const by = { author: 'svc:job', at: Date.now(), operationId: 'op' };

const on = (run: (stage: GithubStage, pr: FakePr) => Promise<void>) => async () => {
  const stage = await GithubStage.open();
  const { github, repo } = stage;
  github.state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
  const fields = { title: 'A', body: '', head: 'feature', base: 'main', author: 'ann' };
  const pr = openPr(github.state, repo, fields);
  try {
    await run(stage, pr);
  } finally {
    await stage.end();
  }
};

test(
  'without a configured method the first of merge, squash and rebase is used that the repository allows, and its merge is found again',
  on(async ({ github, repo, forge }, pr) => {
    repo.mergeMethods = ['rebase', 'squash'];
    const methods: unknown[] = [];
    const own = github.respond.bind(github);
    github.respond = (request) => {
      if (request.method === 'PUT') methods.push(JSON.parse(request.text).merge_method);
      return own(request);
    };
    await forge.write('merge_pr', PR, by);
    assert.equal(methods, ['squash']);
    assert.equal(pr.state, 'MERGED');
    assert.ok(await forge.find('merge_pr', PR, by));
    repo.mergeMethods = ['rebase'];
    assert.ok(await forge.find('merge_pr', PR, by), 'a rebase is known by its account');
  }),
);

test(
  'a method that the repository does not allow is refused in GitHub’s words, with those that it allows',
  on(async (stage, pr) => {
    stage.repo.mergeMethods = ['squash'];
    // A check that is not required has failed: GitHub says unstable, which is in no one's way.
    const head = stage.github.state.readCommit(stage.repo, 'feature');
    pr.checks.set(head, [
      { id: 1, name: 'lint', status: 'COMPLETED', conclusion: 'FAILURE', at: 0 },
    ]);
    const forge = stage.makeForge({ values: { mergeMethod: 'merge' } });
    const { code, message, data } = await catchRefusal(() => forge.write('merge_pr', PR, by));
    assert.equal(code, 'conflict');
    assert.equal(data.reason, 'method');
    assert.match(message, /says: Merge commits are not allowed on this repository\.$/);
    assert.match(message, /It allows: squash\./);
    assert.not.match(message, /check/);
    await stage.forge.write('merge_pr', PR, by);
    assert.is(pr.state, 'MERGED');
  }),
);

test(
  'what was pushed while the merge was on its way is not merged: the request names the commit that was read (TOOL-6)',
  on(async ({ github, repo, forge }, pr) => {
    const own = github.respond.bind(github);
    github.respond = (request) => {
      if (request.method === 'PUT') github.state.commit(repo, 'feature', { 'more.txt': 'late\n' });
      return own(request);
    };
    const { code, message, data } = await catchRefusal(() => forge.write('merge_pr', PR, by));
    assert.equal([code, data.reason], ['conflict', 'sha']);
    assert.match(message, /its branch has new commits.* says: Head branch was modified/s);
    assert.is(pr.state, 'OPEN');
  }),
);

test(
  'a commit that is not the newest one is not merged, and GitHub is not asked to merge anything (TOOL-6)',
  on(async ({ github, repo, forge }, pr) => {
    const head = github.state.readCommit(repo, 'feature');
    github.state.commit(repo, 'feature', { 'more.txt': 'late\n' });
    let merges = 0;
    const own = github.respond.bind(github);
    github.respond = (request) => {
      if (request.method === 'PUT') merges += 1;
      return own(request);
    };
    const { code, message } = await catchRefusal(() =>
      forge.write('merge_pr', { ...PR, head }, by),
    );
    assert.is(merges, 0);
    assert.equal(code, 'conflict');
    assert.match(message, /new(?:er|est)? commit/);
    assert.is(pr.state, 'OPEN');
  }),
);

test(
  'a merge queue is named, and that a person has to add the pull request to it',
  on(async (stage) => {
    stage.repo.mergeQueue = true;
    const { code, message, data } = await catchRefusal(() => stage.forge.write('merge_pr', PR, by));
    assert.equal(code, 'conflict');
    assert.equal(data.reason, 'merge_queue');
    assert.match(message, /main has a merge queue, which svc does not use: ask a person/);
    assert.match(message, /says: .*Changes must be made through the merge queue$/s);
    assert.not.match(message, /a review or a check/);
  }),
);

test(
  'what protects the branch is said in GitHub’s words beside what to do',
  on(async (stage) => {
    stage.repo.demandedApprovals = 1;
    const { message } = await catchRefusal(() => stage.forge.write('merge_pr', PR, by));
    assert.match(message, /main is protected/);
    assert.match(message, /says: At least 1 approving review is required/);
    stage.repo.demandedApprovals = 0;
    stage.github.fault = ({ method, path }) =>
      method === 'PUT' && path.endsWith('/merge')
        ? { status: 405, body: { message: 'This branch must not contain merge commits.' } }
        : null;
    const other = await catchRefusal(() => stage.forge.write('merge_pr', PR, by));
    assert.match(other.message, /does not allow the merge method merge/);
    assert.match(other.message, /says: This branch must not contain merge commits\.$/);
  }),
);

test.run();
