import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';

const test = suite('stories: what an agent may write to');

const workflow = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding, tools: [await_event, post_artifact, set_job_params, local_create_pr, local_approve_pr, local_merge_pr] }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
  - { name: testing, agent: agents/tester.md, status: testing }
`;

/**
 * Tries what it may not do, records the refusals, and merges once it is notified of an approval.
 */
const coder = `
const reported = [];
const PR = { number: 1 };
if (kickoff.includes('merged on')) process.exit(0);
if (session.visit === 1) {
  git('switch', '-q', '-c', 'change');
  writeFileSync('a.env', readFileSync('../../../runner.token', 'utf8'));
  git('add', '--all');
  git('commit', '-q', '-m', 'one');
  reported.push(refused('local_create_pr', { head: 'change', title: 'A change' }));
  writeFileSync('a.env', 'nothing');
  git('commit', '-q', '-a', '--amend', '-m', 'one');
  tool('local_create_pr', { head: 'change', title: 'A change' });
  for (const [name, args] of [
    ['local_create_pr', { head: 'change', title: 'x', repo: 'other' }], ['local_approve_pr', PR], ['local_merge_pr', PR], ['scm_merge_pr', PR],
    ['set_job_params', { params: { writesTo: ['local:repo'] } }],
  ]) reported.push(refused(name, args));
  writeFileSync('refusals.txt', reported.join('\\n'));
  tool('post_artifact', { kind: 'test-output', title: 'Refusals', path: 'refusals.txt' });
} else if (kickoff.includes('approved on')) {
  tool('local_merge_pr', PR);
}
tool('await_event', { prId: 'local:repo#1' });
`;

test(
  'an agent merges its own pull request where its phase lists that and a person has approved the commit; it writes nowhere else, and no secret goes out (TOOL-6 RUN-3)',
  story({ workflow, programs: { coder, tester: "console.log('tested')" } }, async (it) => {
    const id = await it.job();
    await it.until(id, ({ parked }) => parked?.kind === 'event');
    const text = readFileSync(join(it.home, 'work', id, 'test-outputs', 'refusals.txt'), 'utf8');
    const expected = [
      /create_pr: The branch change was refused: it contains a value that svc keeps secret \(commit [0-9a-f]{12}, file a\.env\)/,
      /local:other is not this job's repository/,
      /svc opened local:repo#1, and an agent cannot approve what svc opened/,
      /local:repo#1 cannot be merged by an agent yet: no one but svc has approved its newest commit/,
      // Another name of the same tool, which asks for the same.
      /local:repo#1 cannot be merged by an agent yet: no one but svc has approved its newest commit/,
      /writesTo/,
    ];
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    for (const [n, pattern] of expected.entries()) assert.match(lines[n] ?? '', pattern);
    assert.not.match(text, it.runner.token);

    await it.client.approvePullRequest('repo', 1, { author: 'ann' });
    const job = await it.until(id, ({ ended }) => ended);
    assert.equal(job.status, 'complete');
    assert.equal(
      job.prMappings.map(({ state }) => state),
      ['merged'],
    );
  }),
);

test.run();
