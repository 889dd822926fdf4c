import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { note, openMr, report } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import { type FakeMr, MAINTAINER } from '../../support/forges/fakeGitlab/state.ts';
import { GitlabStage, REPO } from '../../support/forges/gitlabStage.ts';
import { refusalOf } from '../../support/refusal.ts';

const test = suite('scm gitlab: merging');

const ONE = { repo: REPO, number: 1 };
const by = (operationId = 'op') => ({ author: 'svc:job', at: Date.now(), operationId });

const on = (run: (stage: GitlabStage, mr: FakeMr) => Promise<void>) => async () => {
  const stage = await GitlabStage.open();
  const { state } = stage.server;
  state.commit(stage.project, 'feature', { 'feature.txt': 'new\n' });
  const mr = {
    title: 'A feature',
    description: '',
    source: 'feature',
    target: 'main',
    author: 'svc-robot',
  };
  try {
    await run(stage, openMr(state, stage.project, mr));
  } finally {
    await stage.end();
  }
};

const refusal = async (stage: GitlabStage) => {
  const { code, message, data } = await refusalOf(() => stage.forge.write('merge_pr', ONE, by()));
  return { code, message, reason: data.reason };
};

test(
  'what keeps a merge back is said in words that an agent can act on',
  on(async (stage, mr) => {
    const { server, project } = stage;
    const refusedFor = async (reason: string, words: RegExp) => {
      const found = await refusal(stage);
      assert.equal([found.code, found.reason], ['conflict', reason]);
      assert.match(found.message, words);
    };
    project.demandedApprovals = 1;
    await refusedFor(
      'not_approved',
      /an approval that the project requires is missing\. Wait for it \(await_event\)/,
    );
    mr.approvals.push('ann');
    project.demandsPipeline = true;
    report(server.state, project, 'feature', 'test', 'running');
    await refusedFor('ci_still_running', /its pipeline is still running/);
    report(server.state, project, 'feature', 'test', 'failed');
    await refusedFor('ci_must_pass', /must pass, and has not/);
    report(server.state, project, 'feature', 'test', 'success');
    project.demandsResolved = true;
    const thread = note(server.state, mr, 'ann', 'Why?', {
      type: 'DiscussionNote',
      resolvable: true,
    });
    await refusedFor('discussions_not_resolved', /a thread is not resolved/);
    thread.resolved = true;
    mr.draft = true;
    await refusedFor('draft_status', /it is a draft/);
    mr.draft = false;
    server.state.commit(project, 'main', { 'feature.txt': 'other\n' });
    await refusedFor('conflict', /feature and main both changed the same places/);
    assert.is(mr.state, 'opened');
  }),
);

test(
  'an account that may not merge into a protected branch gets that message, and not that its token is wrong',
  on(async (stage) => {
    stage.project.mergeLevel = MAINTAINER;
    const { code, message } = await refusal(stage);
    assert.is(code, 'forbidden');
    assert.match(
      message,
      /svc-robot may not merge into main of acme\/web\/shop: the branch is protected, or its role is too low/,
    );
  }),
);

test(
  'only the reviewed commit is merged',
  on(async (stage, mr) => {
    const { server, project } = stage;
    server.fault = ({ path }) => {
      // A push arrives between the review and the merge.
      if (path.endsWith('/merge'))
        server.state.commit(project, 'feature', { 'more.txt': 'more\n' });
      return null;
    };
    assert.match((await refusal(stage)).message, /its branch has new commits/);
    assert.is(mr.state, 'opened');
  }),
);

test(
  'a merge waits while GitLab is still finding out whether it can be done, and is not sent before',
  on(async ({ server, forge }) => {
    server.state.checkMs = 700;
    const { result } = await forge.write('merge_pr', ONE, by());
    assert.is(result.state, 'merged');
    const asked = server.seen.map(({ method, status }) => `${method} ${status}`);
    assert.equal(asked.slice(0, -1), ['GET 200', 'GET 200', 'PUT 200'], 'preparing, then known');
  }),
);

test(
  'the text of the merge commit says what was merged, and that svc has done it: so a repeat knows its own',
  on(async (stage, mr) => {
    assert.is(await stage.forge.find('merge_pr', ONE, by()), null);
    const { result } = await stage.forge.write('merge_pr', ONE, by());
    assert.is(result.mergeCommit, mr.mergeCommit);
    const text = stage.server.state.git(
      '--git-dir',
      stage.project.gitDir,
      'log',
      '-1',
      '--format=%B',
      'main',
    );
    assert.match(text, /^A feature\n\n<!-- svc:op=/);
    assert.equal((await stage.forge.find('merge_pr', ONE, by()))?.result, result);
    assert.is(await stage.forge.find('merge_pr', ONE, by('another')), null);
  }),
);

test(
  'where the project makes no merge commit, or one of all, the merge is known as well',
  on(async (stage, mr) => {
    const { server, project } = stage;
    const squashing = stage.makeForge({ values: { mergeMethod: 'squash' } });
    const { result } = await squashing.write('merge_pr', ONE, by());
    assert.ok(mr.squashCommit);
    assert.match(
      server.state.git('--git-dir', project.gitDir, 'log', '-1', '--format=%B', mr.squashCommit),
      /svc:op=/,
    );
    assert.equal(
      (await squashing.find('merge_pr', ONE, by()))?.result.mergeCommit,
      result.mergeCommit,
    );

    project.fastForward = true;
    server.state.commit(project, 'second', { 'second.txt': 'new\n' });
    openMr(server.state, project, {
      title: 'Second',
      description: '',
      source: 'second',
      target: 'main',
      author: 'ann',
    });
    const two = { repo: REPO, number: 2 };
    const merged = await stage.forge.write('merge_pr', two, by());
    assert.is(merged.result.mergeCommit, server.state.commitOf(project, 'second'));
    assert.equal(
      (await stage.forge.find('merge_pr', two, by()))?.result.mergeCommit,
      merged.result.mergeCommit,
    );
  }),
);

test.run();
