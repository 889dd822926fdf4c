import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeLayers } from '../../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../../src/workflows/overlay/openOverlay.ts';
import type { PhaseCalls } from '../../../src/policy/budgets/budgetDeps.ts';
import type { CreateJobDeps } from '../../../src/jobs/create/createJobDeps.ts';
import { Enforcement } from '../../../src/jobs/terms/enforcement.ts';
import {
  listReachableJobs,
  checkUnattendedTerms,
} from '../../../src/jobs/terms/checkUnattendedTerms.ts';
import type { ResolvedOverlay } from '../../../src/jobs/workspace/jobOverlays.ts';
import type { Workplace } from '../../../src/jobs/workspace/workplace.ts';
import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import { createCap } from '../../support/caps.ts';
import { layerWith } from '../../support/intelligenceFolder.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { noJobGates } from '../../support/standIns/noJobGates.ts';
import { benchSettings } from '../../../bench/benchSettings.ts';

const test = suite('workflows that an unattended job can come to');

const phases = (...lines: string[]) =>
  `phases:\n${lines.map((line) => `  - { ${line}, status: busy }\n`).join('')}`;
const workflow = (agent: string, more = '') =>
  `---\ninitial_phase: a\n${phases(`name: a, agent: agents/${agent}.md`, 'name: w, agent: null', `name: z, agent: agents/${agent}.md`)}${more}---\n`;
const GO_OVER = 'Call switch_workflow with { "workflowPath": "workflows/target.md" }.';
const FILES = {
  'agents/plain.md': 'Do it.',
  'agents/target.md': 'Do the rest.',
  'agents/leaving.md': GO_OVER,
  'agents/child.md': GO_OVER,
  'workflows/plain.md': workflow('plain'),
  'workflows/leaving.md': workflow('leaving'),
  'workflows/target.md': workflow('target'),
  'workflows/child.md': workflow('child'),
  'workflows/parent.md': workflow(
    'plain',
    'coordinator:\n  enabled: true\n  parkPhase: w\n  resumePhase: z\n  subRunWorkflowPath: workflows/child.md\n',
  ),
};
const overlay = openOverlay(mergeLayers([layerWith('base', FILES, '/opt/base')]));
const job = (name: string) => ({
  workflowPath: `workflows/${name}.md`,
  workflow: overlay.workflow(`workflows/${name}.md`).table as WorkflowTable,
  params: { unattended: { until: '2026-11-23T08:00:00.000Z' } },
  interactive: false,
});
const listReachablePaths = (name: string) =>
  listReachableJobs(overlay, job(name)).map(({ workflowPath }) => workflowPath);

test('a workflow that names no other is the only one', () => {
  assert.equal(listReachablePaths('plain'), ['workflows/plain.md']);
});

test('a workflow that an agent is asked to go over to is reached', () => {
  assert.equal(listReachablePaths('leaving'), ['workflows/leaving.md', 'workflows/target.md']);
});

test('the workflow of the sub-runs is reached, and what follows it', () => {
  assert.equal(listReachablePaths('parent'), [
    'workflows/parent.md',
    'workflows/child.md',
    'workflows/target.md',
  ]);
});

const CALL: PhaseCalls = {
  metered: true,
  isListed: true,
  microUsd: 1,
  reportsUsage: 'each-call',
  stopsBetweenCalls: true,
};

/** The terms of a job under a cap of the day; one agent is run by an executor that reports nothing. */
const termsWith = (name: string, blind: string | null, params: object = job(name).params) => {
  const deps: Partial<CreateJobDeps> = {
    ...noJobGates,
    settings: benchSettings('/nowhere'),
    workplace: {
      overlay: async () => ({ overlay }) as ResolvedOverlay,
    } as Partial<Workplace> as Workplace,
    enforcement: new Enforcement({
      settings: { llm: { defaultProvider: 'builtin', aliases: {} } },
      callPrice: ({ agent }) =>
        agent === `agents/${blind}.md` ? { ...CALL, reportsUsage: 'never' } : CALL,
      budgets: { accountsOfNew: () => [createCap('usd')] },
      findRoot: (id) => id,
    }),
  };
  const body = { type: 'job', workflowPath: job(name).workflowPath, params: {} } as const;
  return checkUnattendedTerms(deps as CreateJobDeps, {
    ...job(name),
    params: { ...params },
    body,
    coordinator: undefined,
  });
};

test('a job that is attended to has no terms', async () => {
  assert.is(await termsWith('plain', 'plain', {}), undefined);
});

test('each phase that it can come to is in its terms', async () => {
  const terms = (await termsWith('leaving', null)) ?? [];
  assert.ok(terms.some((line) => line.startsWith('a of workflows/target.md is run by builtin')));
});

for (const [name, blind] of [
  ['plain', 'plain'],
  ['leaving', 'target'],
  ['parent', 'child'],
] as const)
  test(`a cap that ${blind} would not keep refuses a job of ${name} (JOB-16)`, async () => {
    const { code, message } = await catchRefusal(async () => {
      await termsWith(name, blind);
    });
    assert.is(code, 'cannot-run');
    const place = name === blind ? 'a' : `a of workflows/${blind}.md`;
    assert.ok(message.includes(`enforced in the phase ${place}, because builtin`), message);
  });

test.run();
