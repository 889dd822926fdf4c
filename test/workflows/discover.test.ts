import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { discoverWorkflows } from '../../src/workflows/discover.ts';
import { parseWorkflow } from '../../src/workflows/parseWorkflow.ts';

const test = suite('discoverWorkflows');

const simple = '---\ninitial_phase: do\nphases:\n  - { name: do, agent: null, status: doing }\n---\n';
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

test('an entry holds what a person needs to start the workflow (INT-6)', () => {
  const found = discoverWorkflows([
    parseWorkflow(simple, 'workflows/simple.md'),
    parseWorkflow(campaign, 'workflows/campaign.md'),
  ]);
  assert.equal(found, {
    workflows: [
      {
        id: 'campaign',
        label: 'Campaign',
        description: 'Many jobs.',
        workflowPath: 'workflows/campaign.md',
        phases: [
          { name: 'park', status: 'awaiting-sub-runs' },
          { name: 'sum', status: 'aggregating' },
        ],
        coordinator: { subRunWorkflowPath: 'workflows/job.md', maxParallelSubRuns: 4, failurePolicy: 'halt-on-failure' },
        createParams: { required: ['description'], optional: ['lane'] },
      },
      {
        id: 'simple',
        label: 'Simple',
        description: '',
        workflowPath: 'workflows/simple.md',
        phases: [{ name: 'do', status: 'doing' }],
        coordinator: null,
        createParams: { required: ['repo', 'description'], optional: ['reviewers', 'jiraTicketId', 'gitProvider'] },
      },
    ],
    diagnostics: [],
  });
});

test('a broken workflow is left out and reported, and hides no other (INT-6)', () => {
  const found = discoverWorkflows([
    parseWorkflow('---js\n1\n---\n', 'workflows/evil.md'),
    parseWorkflow(simple, 'workflows/simple.md'),
  ]);
  assert.equal(
    found.workflows.map((entry) => entry.id),
    ['simple'],
  );
  assert.equal(
    found.diagnostics.map((one) => [one.file, one.code]),
    [['workflows/evil.md', 'front-matter-language']],
  );
});

test.run();
