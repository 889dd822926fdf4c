import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';

const test = suite('stories: guardrails');

const workflow = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding, tools: [add_insight, local_create_pr] }
`;

/** Brings a file that decides what runs elsewhere, each time it is asked. */
const coder = `
  git('switch', '-q', '-c', 'change');
  writeFileSync('.gitlab-ci.yml', 'job: {}');
  git('add', '--all');
  git('commit', '-q', '-m', 'one');
  console.log('REFUSED ' + refused('local_create_pr', { head: 'change', title: 'A change' }));
  console.log('AFTER ' + refused('add_insight', { category: 'pattern', text: 'x' }));
`;

test(
  'a rule stops a branch that changes what runs elsewhere, and the job waits for a person (CFG-4)',
  story({ workflow, programs: { coder } }, async (it) => {
    const id = await it.job();
    const held = await it.until(id, ({ parked }) => parked !== null);
    assert.is(held.status, 'awaiting-developer-input');
    assert.match(
      held.parked?.reason ?? '',
      /guardrail no-workflow-file-change: the change touches/,
    );
    assert.equal(held.prMappings, []);
  }),
);

test.run();
