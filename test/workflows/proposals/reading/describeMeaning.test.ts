import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeMeaning } from '../../../../src/workflows/proposals/reading/describeMeaning.ts';

const test = suite('proposals: what a change means');

const WORKFLOW = `---
initial_phase: plan
phases:
  - { name: plan, agent: agents/plan.md, status: planning, model: planning }
  - { name: code, agent: agents/code.md, status: coding, tools: [log, edit] }
---
Text.
`;
const of = (from: string, to: string) =>
  describeMeaning({
    path: 'workflows/w.md',
    before: WORKFLOW,
    after: WORKFLOW.replace(from, to),
  }).map(({ says }) => says);

for (const [what, from, to, says] of [
  [
    'an approval',
    'model: planning',
    'model: planning, interactive_checkpoint: true',
    "phase plan: now waits for a person's approval",
  ],
  ['a model', 'model: planning', 'model: coding', 'phase plan: model: planning → coding'],
  [
    'an agent',
    'agents/plan.md',
    'agents/think.md',
    'phase plan: agent: agents/plan.md → agents/think.md',
  ],
  [
    'an executor',
    'model: planning',
    'model: planning, provider: acp',
    'phase plan: executor: none → acp',
  ],
  ['a tool less', '[log, edit]', '[log]', 'phase code: may no longer use edit'],
  ['a tool more', '[log, edit]', '[log, edit, shell]', 'phase code: may also use shell'],
  [
    'no list of tools',
    ', tools: [log, edit]',
    '',
    'phase code: may use every tool: its list of tools is gone',
  ],
  [
    'the first phase',
    'initial_phase: plan',
    'initial_phase: code',
    'begins with the phase: plan → code',
  ],
  ['the text', 'Text.', 'Other.', 'the text for every phase: 1 line more, 1 line less'],
  [
    'a budget',
    'phases:',
    'budget: { job: { usd: 5 } }\nphases:',
    'budget: none → {"job":{"usd":5}}',
  ],
] as const)
  test(`a workflow: ${what}`, () => {
    assert.equal(of(from, to), [says]);
  });

test('a new phase, and one that is removed', () => {
  assert.equal(of('name: code, agent: agents/code.md', 'name: test, agent: agents/test.md'), [
    'phase code is removed',
    'new phase test with agents/test.md',
  ]);
});

test('a phase with another name is the same phase', () => {
  assert.equal(of('name: code,', 'name: build,'), ['phase code is now called build']);
});

test('phases in another order', () => {
  const [plan, code] = WORKFLOW.split('\n').slice(3, 5);
  assert.equal(of(`${plan}\n${code}`, `${code}\n${plan}`), [
    'the phases follow each other differently: code, plan',
  ]);
});

test('an agent: its front matter key by key, and how much of its text', () => {
  const before = '---\ndescription: old\n---\nOne.\n';
  const after = '---\ndescription: new\ncommand: [make]\n---\nTwo.\nThree.\n';
  assert.equal(
    describeMeaning({ path: 'agents/a.md', before, after }).map(({ says }) => says),
    [
      'description: old → new',
      'command: none → ["make"]',
      'the instructions: 2 lines more, 1 line less',
    ],
  );
});

test('memory: for every job', () => {
  assert.equal(
    describeMeaning({ path: 'memory/a.md', before: null, after: 'Use tabs.\n' }).map(
      ({ says }) => says,
    ),
    ['the file is new', 'the memory of every job: 1 line more, 0 lines less'],
  );
});

test('a file that goes', () => {
  assert.equal(describeMeaning({ path: 'memory/a.md', before: 'x', after: null }), [
    { path: 'memory/a.md', says: 'the file is removed' },
  ]);
});

test('front matter that cannot be read breaks nothing', () => {
  const [first] = describeMeaning({
    path: 'workflows/w.md',
    before: WORKFLOW,
    after: '---\n: [\n---\nText.\n',
  });
  assert.is(first?.says, 'its front matter cannot be read');
});

test.run();
