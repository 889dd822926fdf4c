import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientError } from '../../src/api/client/problem.ts';
import { story } from '../support/story.ts';

const test = suite('stories: guardrails');

const workflow = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding, tools: [add_insight, local_create_pr] }
`;

/**
 * Brings a file that decides what runs elsewhere, the same each time; once that is through, another
 * one.
 */
const coder = `
  const branch = (name, text) => {
    git('switch', '-q', '-C', name, 'origin/main');
    writeFileSync('.gitlab-ci.yml', text);
    git('add', '--all');
    git('commit', '-q', '-m', 'one');
    return refused('local_create_pr', { head: name, title: 'A change' });
  };
  git('switch', '-q', '-C', 'leak', 'origin/main');
  writeFileSync('t.env', ['ghp', 'a1B2'.repeat(9)].join('_'));
  git('add', '--all');
  git('commit', '-q', '-m', 'add');
  git('rm', '-q', 't.env');
  git('commit', '-q', '-m', 'remove');
  refused('local_create_pr', { head: 'leak', title: 'A leak' });
  if (branch('change', 'job: {}') === '') branch('other', 'job: { script: x }');
  refused('add_insight', { category: 'pattern', text: 'x' });
`;

const config = {
  guardrails: {
    rules: [
      {
        id: 'no-nights',
        when: 'job.start',
        if: 'args.description == "at night"',
        message: 'Start it in the morning.',
      },
    ],
  },
};

test(
  'a rule stops a branch that changes what runs elsewhere; a person allows exactly that (CFG-4)',
  story({ workflow, config, programs: { coder } }, async (it) => {
    const refusal = await it.job({ description: 'at night' }).catch((error: unknown) => error);
    assert.instance(refusal, ClientError);
    const { code, status, detail } = (refusal as ClientError).problem;
    assert.equal([status, code], [422, 'guardrail']);
    assert.match(detail, 'guardrail no-nights: Start it in the morning.');
    const id = await it.job();
    const job = await it.until(id, ({ parked }) => parked !== null);
    assert.is(job.status, 'awaiting-developer-input');
    assert.match(job.parked?.reason ?? '', /guardrail no-workflow-file-change: the change touches/);
    assert.equal(job.prMappings, []);
    const { decisions } = await it.client.guardrailDecisions({ rule: 'no-secret-in-diff' });
    assert.match(
      decisions[0]?.message ?? '',
      /guardrail no-secret-in-diff: the branch adds a token of GitHub \(commit \w{12}, file t\.env\)/,
    );
    const rule = 'no-workflow-file-change';
    const verdict = await it.client.resume(id, { eventKey: 'approve' }).catch((error) => error);
    assert.match((verdict as ClientError).problem.detail, /waits for no approval.+svc why/);
    await it.client.allowGuardrail(id, { rule, resume: false });
    await it.runner.kill();
    await it.runner.start();
    await it.client.resume(id, { eventKey: 'manual-resume' });
    const again = await it.until(
      id,
      ({ parked, prMappings }) => parked !== null && prMappings.length > 0,
    );
    assert.match(again.parked?.reason ?? '', /guardrail no-workflow-file-change/);
    assert.equal(
      again.prMappings.map(({ head }) => head),
      ['change'],
    );
  }),
);

test.run();
