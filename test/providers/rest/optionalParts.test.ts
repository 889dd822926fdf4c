import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explainMergeProblem } from '../../../src/providers/mergeGuard.ts';
import { describeMergeStatus } from '../../../src/providers/gitlab/forge/mergeStatus.ts';
import { openMr, report, systemNote } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import { BitbucketStage, REPO as BITBUCKET_REPO } from '../../support/forges/bitbucketStage.ts';
import { GitlabStage, REPO } from '../../support/forges/gitlabStage.ts';
import { longLane } from '../../support/longLane.ts';

const test = suite('parts that a server does not have do not make a pull request unreadable');
const long = longLane(test);

const gitlab = (run: (stage: GitlabStage) => Promise<void>) => async () => {
  const stage = await GitlabStage.open();
  const { state } = stage.server;
  state.commit(stage.project, 'feature', { 'feature.txt': 'new\n' });
  const texts = { title: 'A feature', description: '' };
  openMr(state, stage.project, {
    ...texts,
    source: 'feature',
    target: 'main',
    author: 'svc-robot',
  });
  report(state, stage.project, 'feature', 'build', 'success');
  try {
    await run(stage);
  } finally {
    await stage.end();
  }
};

const refusing =
  (status: number, ...endings: string[]) =>
  ({ path }: { path: string }) =>
    endings.some((ending) => path.endsWith(ending)) ? { status } : null;

for (const status of [403, 404])
  (status === 404 ? test : long)(
    `GitLab without approvals, versions, reviewers and results (${status})`,
    gitlab(async (stage) => {
      const [mr] = stage.project.mrs;
      if (mr) systemNote(stage.server.state, mr, 'ann', 'requested changes');
      stage.server.fault = refusing(status, '/approvals', '/versions', '/reviewers', '/statuses');
      const detail = await stage.forge.pullRequest(REPO, 1);
      assert.is(detail.title, 'A feature');
      assert.equal(detail.approvals, []);
      assert.match(detail.approvalsProblem ?? '', /pull request acme\/web\/shop#1/);
      assert.is(detail.checksState.state, 'unreadable');
      assert.equal(detail.changesRequested, ['ann']);
      const { news, seen } = await stage.forge.news([{ repo: REPO, number: 1 }]);
      assert.equal(
        news.map(({ event }) => event.kind),
        ['changes_requested'],
      );
      assert.is(seen?.length, 1);
    }),
  );

test(
  'approvals that are unknown are said to be so, and are never taken for given',
  gitlab(async (stage) => {
    stage.server.fault = refusing(404, '/approvals');
    const detail = await stage.forge.pullRequest(REPO, 1);
    const problem = explainMergeProblem(detail, () => false) ?? '';
    assert.match(problem, /svc cannot read who has approved its newest commit/);
    assert.match(problem, /approves it in svc/);
    const decided = { isApproved: true, requested: [], approvedSince: [] };
    assert.is(
      explainMergeProblem(detail, () => false, decided),
      null,
    );
  }),
);

test(
  'GitLab before 15.6, which has no detailed status: unknown is not "cannot be merged"',
  gitlab(async (stage) => {
    const without = (more: object): typeof globalThis.fetch => {
      return async (input, init) => {
        const response = await fetch(input, init);
        if (!/merge_requests\/1$/.test(String(input))) return response;
        const { detailed_merge_status: _left, ...mr } = Object(await response.json());
        return new Response(JSON.stringify({ ...mr, ...more }));
      };
    };
    const silent = await stage.makeForge({ fetch: without({}) }).pullRequest(REPO, 1);
    assert.is(silent.mergeable, null);
    assert.is(silent.mergeState, null);
    const older = stage.makeForge({ fetch: without({ merge_status: 'can_be_merged' }) });
    assert.is((await older.pullRequest(REPO, 1)).mergeable, true);
  }),
);

test('each status of GitLab is said in words, and one that is not known is quoted', () => {
  const of = (status: string | null) =>
    describeMergeStatus(
      { source_branch: 'f', target_branch: 'm', web_url: 'W', detailed_merge_status: status },
      'git.test',
    );
  for (const status of [
    'approvals_syncing',
    'ci_must_pass',
    'jira_association_missing',
    'locked_lfs_files',
    'locked_paths',
    'merge_time',
    'not_open',
    'security_policy_pipeline_check',
    'security_policy_violations',
    'title_regex',
  ])
    assert.not.match(of(status), status);
  assert.match(of('moon_phase'), '"moon_phase", which svc does not know: look at its page, W');
  assert.match(of(null), 'does not say what blocks the merge');
});

test('Bitbucket without builds, history and merge checks', async () => {
  const stage = await BitbucketStage.open();
  try {
    const pr = stage.opened();
    pr.reviews.set('ann', { state: 'approved', role: 'REVIEWER', at: Date.now() });
    stage.bitbucket.fault = refusing(403, '/statuses', '/activity', '/mergeability/checks');
    const detail = await stage.forge.pullRequest(BITBUCKET_REPO, 1);
    assert.equal(detail.approvals, ['ann']);
    assert.is(detail.checksState.state, 'unreadable');
    assert.match(detail.checksState.reason, /The token has no permission for this/);
    const { seen } = await stage.forge.news([{ repo: BITBUCKET_REPO, number: 1 }]);
    assert.is(seen?.length, 1);
  } finally {
    await stage.end();
  }
});

test.run();
