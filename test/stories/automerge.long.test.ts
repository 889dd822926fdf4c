import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';

const test = suite('stories: the shipped workflow that merges');

const ITEM = "{ id: 'note', title: 'Add a note' }";
const PROGRAMS = {
  planner: `
tool('set_work_items', { items: [${ITEM}] });
tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# Plan' });
`,
  'automerge-coder': `
tool('update_work_item', { id: 'note', status: 'in-progress' });
if (git('branch', '--list', 'change') === '') git('switch', '-q', '-c', 'change');
writeFileSync('NOTE.md', 'A note.');
git('add', '--all');
git('commit', '-q', '-m', 'Add a note');
tool('scm_create_pr', { head: 'change', title: 'Add a note' });
`,
  // It tries to merge whenever it is asked.
  merger: `
const said = refused('scm_merge_pr', { number: 1 });
if (said) {
  console.log('not merged: ' + said);
  tool('await_event');
}
`,
  tester: '',
  evaluator: "tool('update_work_item', { id: 'note', status: 'complete' });",
  reporter: "tool('post_artifact', { kind: 'report-md', title: 'Report', content: '# Report' });",
};

const OPTIONS = {
  workflow: 'initial_phase: a\ninitial_status: a\nphases:\n  - { name: a, agent: null, status: a }',
  programs: PROGRAMS,
};

test(
  'its plan needs a person; it merges the commit that a person has approved, and none that was pushed afterwards (INT-5 TOOL-6)',
  story(OPTIONS, async (it) => {
    const body = {
      type: 'job',
      workflowPath: 'workflows/job-automerge.md',
      params: { repoSlug: 'repo', description: 'Add a note.' },
    };
    const { jobId } = await it.client.createJob(body);
    const planned = await it.until(jobId, ({ parked }) => parked?.kind === 'approval');
    assert.is(planned.phase, 'planning');
    await it.client.resume(jobId, { eventKey: 'approve' });

    const waiting = await it.until(jobId, ({ parked }) => parked?.kind === 'event');
    assert.is(waiting.phase, 'merging');
    // Approved while the job is paused, and then no longer the newest commit.
    await it.client.pause(jobId);
    await it.client.approvePullRequest('repo', 1, { author: 'ann' });
    it.git('fetch', '--quiet', it.repository, 'change');
    it.git('checkout', '--quiet', 'FETCH_HEAD');
    it.git('commit', '--quiet', '--allow-empty', '-m', 'One more');
    it.git('push', '--quiet', it.repository, 'HEAD:change');
    await it.client.resume(jobId, {});
    await it.until(jobId, ({ parked, visit }) => parked?.kind === 'event' && visit > waiting.visit);
    assert.is((await it.client.pullRequest('repo', 1)).state, 'open');

    await it.client.approvePullRequest('repo', 1, { author: 'ann' });
    const over = await it.until(jobId, ({ ended }) => ended);
    assert.is(over.status, 'complete', over.reason ?? '');
    assert.is(over.prMappings[0]?.state, 'merged');
    const log = await it.log(jobId);
    const [first = '', second = '', ...more] = log.filter((line) => /^not merged: /.test(line));
    assert.equal(more, []);
    assert.match(first, /merge-approved forbids this: .* wait for that with await_event/);
    assert.match(second, /the approval of ann is not known to be for its newest commit/);
    assert.is(log.filter((line) => line.startsWith('[invariant] refused: ')).length, 1);
  }),
);

test.run();
