import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';

const test = suite('stories: coding preflight');

const WORKFLOW = `
initial_phase: implement
initial_status: coding
phases:
  - { name: implement, agent: agents/coder.md, status: coding }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
  - { name: closing, agent: agents/closer.md, status: reporting }
`;

/**
 * Opens a pull request for its work item and waits; comes back once for a comment and says how its
 * kickoff begins.
 */
const CODER = `
if (tool('get_work_items').items.length === 0) tool('set_work_items', { items: [{ id: 'a', title: 'A', status: 'in-progress' }] });
tool('log', { tag: 'begin', message: kickoff.split('\\n')[0] });
if (git('branch', '--list', 'change') === '') git('switch', '-q', '-c', 'change');
git('commit', '-q', '--allow-empty', '-m', 'change ' + session.visit);
const pr = tool('local_create_pr', { head: 'change', title: 'A change' });
tool('await_event', { prId: pr.prId });
`;

/** Forgets to close its work item, so that the completion gate sends it round once more. */
const CLOSER = `
if (!kickoff.includes('[completion-gate]')) process.exit(0);
for (const line of kickoff.split('\\n').filter((one) => /^(- a|Pull requests of|The forge)/.test(one))) tool('log', { tag: 'gate', message: line });
tool('update_work_item', { id: 'a', status: 'complete' });
`;

/** The author `noise` wakes no job: the coder comes back once. */
const CONFIG = { plugins: { installed: { local: { config: { ignoreAuthors: 'noise' } } } } };

test(
  'a coder that comes back first sees the open pull request; the gate gives its current state (JOB-14 JOB-7)',
  story(
    { workflow: WORKFLOW, programs: { coder: CODER, closer: CLOSER }, config: CONFIG },
    async (it) => {
      const job = await it.job();
      const parked = await it.until(job, ({ parked }) => parked?.kind === 'event');
      await it.client.commentPullRequest('repo', 1, { author: 'noise', body: 'First!' });
      // The reply comes after the commit that would have woken it.
      assert.is((await it.client.job(job)).parked?.kind, 'event');
      await it.client.commentPullRequest('repo', 1, { author: 'ann', body: 'Please fix.' });
      await it.until(
        job,
        ({ parked: now, visit }) => now?.kind === 'event' && visit > parked.visit,
      );
      await it.client.mergePullRequest('repo', 1, { author: 'ann' });
      const endedJob = await it.until(job, ({ ended }) => ended);
      assert.is(endedJob.status, 'complete');
      const lines = await it.log(job);
      assert.equal(
        lines.filter((line) => line.startsWith('[begin]')),
        [
          '[begin] Phase implement. The phase begins.',
          '[begin] [coding-preflight] The current work item a already has an open pull request: local:repo#1. Continue on the branch of the open one and answer its reviews; open another one only for changes that do not belong there. The forge was asked just now.',
        ],
      );
      assert.equal(
        lines.filter((line) => line.startsWith('[gate]')),
        [
          '[gate] - a (in-progress): A; open pull requests: none; merged: local:repo#1',
          '[gate] Pull requests of these items as they are now:',
          '[gate] - a: open: none; merged: local:repo#1; closed without a merge: none',
          '[gate] The forge was asked just now.',
        ],
      );
    },
  ),
);

test.run();
