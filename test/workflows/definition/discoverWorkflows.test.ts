import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  discoverWorkflows,
  toWorkflowEntry,
} from '../../../src/workflows/definition/discoverWorkflows.ts';
import { parseWorkflow } from '../../../src/workflows/definition/parseWorkflow.ts';

const test = suite('discoverWorkflows');

const simple =
  '---\ninitial_phase: do\nphases:\n  - { name: do, agent: null, status: doing }\n---\n';
const campaign = `---
label: Campaign
description: Many jobs.
initial_phase: park
phases:
  - { name: park, agent: null, status: awaiting-sub-runs }
  - { name: sum, agent: null, status: aggregating }
coordinator: { enabled: true, parkPhase: park, resumePhase: sum, subRunWorkflowPath: workflows/job.md, maxParallelSubRuns: 4 }
createParams: { required: [description], optional: [lane] }
---
`;

const phase = (name: string, status: string) => ({
  name,
  status,
  agent: null,
  model: null,
  provider: null,
  obligations: null,
  interactive_checkpoint: false,
});

test('an entry contains what a person needs to start the workflow (INT-6)', () => {
  const discovery = discoverWorkflows([
    parseWorkflow(simple, 'workflows/simple.md'),
    parseWorkflow(campaign, 'workflows/campaign.md'),
  ]);
  assert.equal(discovery, {
    workflows: [
      {
        id: 'campaign',
        label: 'Campaign',
        description: 'Many jobs.',
        workflowPath: 'workflows/campaign.md',
        phases: [phase('park', 'awaiting-sub-runs'), phase('sum', 'aggregating')],
        coordinator: {
          subRunWorkflowPath: 'workflows/job.md',
          maxParallelSubRuns: 4,
          failurePolicy: 'halt-on-failure',
        },
        createParams: { required: ['description'], optional: ['lane'] },
      },
      {
        id: 'simple',
        label: 'Simple',
        description: '',
        workflowPath: 'workflows/simple.md',
        phases: [phase('do', 'doing')],
        coordinator: null,
        createParams: {
          required: [],
          optional: ['repo', 'description', 'reviewers', 'jiraTicketId', 'gitProvider'],
        },
      },
    ],
    broken: [],
    diagnostics: [],
  });
});

test('an entry names who would run each phase as configured: no executor where there is no session (INT-6, CFG-3)', () => {
  const workflow = `---
initial_phase: plan
phases:
  - { name: plan, agent: agents/planner.md, model: planning, status: planning }
  - { name: code, agent: agents/coder.md, model: coding, provider: greeter, status: coding }
  - { name: look, agent: agents/looker.md, status: looking }
  - { name: wait, agent: null, status: waiting }
---
`;
  const { workflows } = discoverWorkflows([parseWorkflow(workflow, 'workflows/plan.md')]);
  const llm = {
    defaultProvider: 'command',
    aliases: {
      planning: { provider: 'big', model: 'large-2', reasoningEffort: 'high' },
      coding: { provider: 'big', model: 'default' },
    },
  };
  assert.equal(
    workflows.flatMap((workflow) => toWorkflowEntry(workflow, llm).phases),
    [
      {
        name: 'plan',
        status: 'planning',
        checkpoint: false,
        provider: 'big',
        model: 'large-2',
        reasoningEffort: 'high',
      },
      {
        name: 'code',
        status: 'coding',
        checkpoint: false,
        provider: 'greeter',
        model: null,
        reasoningEffort: null,
      },
      {
        name: 'look',
        status: 'looking',
        checkpoint: false,
        provider: 'command',
        model: null,
        reasoningEffort: null,
      },
      {
        name: 'wait',
        status: 'waiting',
        checkpoint: false,
        provider: null,
        model: null,
        reasoningEffort: null,
      },
    ],
  );
});

test('a broken workflow hides no other, and is listed with its errors (INT-6)', () => {
  const discovery = discoverWorkflows([
    parseWorkflow('---js\n1\n---\n', 'workflows/evil.md'),
    parseWorkflow(simple, 'workflows/simple.md'),
  ]);
  assert.equal(
    discovery.workflows.map((entry) => entry.id),
    ['simple'],
  );
  assert.equal(
    discovery.broken.map(({ id, phases, problem }) => [id, phases, problem]),
    [
      [
        'evil',
        [],
        discovery.diagnostics
          .map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)
          .join(),
      ],
    ],
  );
  const typo = simple.replace('initial_phase: do', 'initial_phase: od');
  const [brokenEntry] = discoverWorkflows([parseWorkflow(typo, 'workflows/typo.md')]).broken;
  assert.equal(
    brokenEntry?.phases.map(({ name }) => name),
    ['do'],
  );
  assert.match(brokenEntry?.problem ?? '', 'workflows/typo.md:2:16');

  assert.equal(
    discovery.diagnostics.map((one) => [one.file, one.code]),
    [['workflows/evil.md', 'front-matter-language']],
  );
});

test.run();
