import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  arrive,
  derail,
  note,
  openMr,
  report,
} from '../../support/forges/fakeGitlab/mergeRequests.ts';
import { type FakeMr, MAINTAINER } from '../../support/forges/fakeGitlab/state.ts';
import { GitlabStage, REPO } from '../../support/forges/gitlabStage.ts';
import { mergeRefusalContract } from '../../support/forges/remoteForgeContract.ts';
import { catchRefusal } from '../../support/refusal.ts';

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
  const { code, message, data } = await catchRefusal(() =>
    stage.forge.write('merge_pr', ONE, by()),
  );
  return { code, message, reason: data.reason };
};

/** What is reported of the merge request now. */
const readNews = async ({ forge }: GitlabStage) => {
  forge.touch([ONE]);
  return (await forge.news([ONE])).news;
};

test(
  'what keeps a merge back is said in words that an agent can act on',
  on(async (stage, mr) => {
    const { server, project } = stage;
    const refusedFor = async (reason: string, words: RegExp) => {
      const problem = await refusal(stage);
      assert.equal(problem.code, 'conflict');
      assert.equal(problem.reason, reason);
      assert.match(problem.message, words);
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
    // Preparing, then known, then whether the project has merge trains.
    const requests = server.seen.map(({ method, status }) => `${method} ${status}`);
    assert.equal(requests.slice(0, -1), ['GET 200', 'GET 200', 'GET 200', 'PUT 200']);
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
    assert.is(merged.result.mergeCommit, server.state.readCommit(project, 'second'));
    assert.equal(
      (await stage.forge.find('merge_pr', two, by()))?.result.mergeCommit,
      merged.result.mergeCommit,
    );
  }),
);

mergeRefusalContract(test, async () => {
  const stage = await GitlabStage.open();
  const { server, project } = stage;
  server.state.commit(project, 'feature', { 'feature.txt': 'new\n' });
  openMr(server.state, project, {
    title: 'A feature',
    description: '',
    source: 'feature',
    target: 'main',
    author: 'svc-robot',
  });
  return {
    forge: stage.forge,
    repo: REPO,
    refuseMerges(message) {
      server.fault = ({ path }) =>
        path.endsWith('/merge') ? { status: 405, body: { message } } : null;
    },
    end: () => stage.end(),
  };
});

test(
  'where the project has merge trains, the merge request joins the train, and its merge is an event',
  on(async (stage, mr) => {
    const { server, project, forge } = stage;
    project.mergeTrains = true;
    const { result, pr } = await forge.write('merge_pr', ONE, by());
    assert.equal(result.state, 'open');
    assert.equal(result.mergedAt, null);
    assert.equal(result.queued, true);
    assert.match(String(result.note), /on the merge train.*await_event with merged/);
    assert.equal(pr?.state, 'open');
    assert.equal(pr?.mergedAt, null);
    assert.equal(mr.state, 'opened');
    assert.equal(mr.car?.by, 'svc-robot');
    assert.equal(server.writes(/\/merge$/), 0);
    // The answer was lost: it is found on the train, and not asked for again.
    assert.equal((await forge.find('merge_pr', ONE, by()))?.result, result);
    arrive(server.state, project, mr);
    const [merged] = (await readNews(stage)).filter(({ event }) => event.kind === 'merged');
    assert.equal(merged?.own, false);
    assert.equal(merged?.event.prId, `gitlab:${REPO}#1`);
    const match = await forge.find('merge_pr', ONE, by());
    assert.equal(match?.result.state, 'merged');
    assert.equal(match?.result.mergeCommit, mr.mergeCommit);
  }),
);

test(
  'a train that throws the merge request off is reported, in GitLab’s words and not as svc’s own doing',
  on(async (stage, mr) => {
    stage.project.mergeTrains = true;
    await stage.forge.write('merge_pr', ONE, by());
    derail(stage.server.state, mr);
    const reported = (await readNews(stage)).map(({ own, event }) => [own, event.kind, event.text]);
    assert.equal(reported, [
      [
        false,
        'check_failed',
        'GitLab will not merge it: removed this merge request from the merge train because pipeline did not succeed.',
      ],
    ]);
    assert.is(await stage.forge.find('merge_pr', ONE, by()), null);
  }),
);

test(
  'a train that refuses the commit, or the account, is a refusal with its reason',
  on(async (stage, mr) => {
    stage.project.mergeTrains = true;
    stage.server.fault = ({ path }) => {
      if (path.includes('/merge_trains/'))
        stage.server.state.commit(stage.project, 'feature', { 'late.txt': 'late\n' });
      return null;
    };
    assert.match((await refusal(stage)).message, /its branch has new commits/);
    stage.server.fault = () => null;
    stage.project.mergeLevel = MAINTAINER;
    assert.is((await refusal(stage)).code, 'forbidden');
    assert.is(mr.car, null);
  }),
);

test(
  'a merge that GitLab has accepted and not done yet is neither a failure nor a merge',
  on(async (stage, mr) => {
    // As where a merge waits for checks, or the merge is done in the background.
    stage.server.fault = ({ path, method }) =>
      method === 'PUT' && path.endsWith('/merge')
        ? { status: 200, body: { iid: 1, state: 'opened', merge_error: null } }
        : null;
    const { result } = await stage.forge.write('merge_pr', ONE, by());
    assert.equal(result.state, 'open');
    assert.equal(result.queued, true);
    assert.equal(mr.state, 'opened');
    stage.server.fault = ({ path, method }) =>
      method === 'PUT' && path.endsWith('/merge')
        ? { status: 200, body: { iid: 1, state: 'opened', merge_error: 'Something went wrong.' } }
        : null;
    const refused = await refusal(stage);
    assert.equal(refused.code, 'conflict');
    assert.equal(refused.reason, 'opened');
    assert.match(refused.message, /Something went wrong\.$/);
  }),
);

test.run();
