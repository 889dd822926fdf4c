import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeLayers } from '../../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../../src/workflows/overlay/openOverlay.ts';
import {
  doesNothing,
  findStuckPhases,
  describeStuckPhases,
  listWantingExecutors,
} from '../../../src/workflows/overlay/findStuckPhases.ts';
import { refuseToRun } from '../../../src/jobs/create/refuseToRun.ts';
import type { PhaseModel, Settings } from '../../../src/contract/schema/runner/settings.ts';
import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import { layerWith } from '../../support/intelligenceFolder.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('phases that cannot run');

const phases = (...lines: string[]) =>
  `phases:\n${lines.map((line) => `  - { ${line}, status: busy }\n`).join('')}`;
const FILES = {
  'agents/model.md': 'For a model.',
  'agents/program.md': '---\ncommand: [node, x.mjs]\n---\n',
  'workflows/mixed.md': `---\ninitial_phase: plan\n${phases(
    'name: plan, agent: agents/model.md, model: planning',
    'name: run, agent: agents/program.md',
    'name: wait, agent: null',
    'name: pinned, agent: agents/model.md, provider: "acp:gemini"',
    'name: code, agent: agents/model.md, model: coding',
  )}---\n`,
  'workflows/child.md': `---\ninitial_phase: a\n${phases('name: a, agent: agents/model.md')}---\n`,
  'workflows/parent.md': `---\ninitial_phase: a\n${phases(
    'name: a, agent: agents/program.md',
    'name: w, agent: null',
    'name: z, agent: agents/program.md',
  )}coordinator:\n  enabled: true\n  parkPhase: w\n  resumePhase: z\n  subRunWorkflowPath: workflows/child.md\n---\n`,
};
const overlay = openOverlay(mergeLayers([layerWith('base', FILES, '/opt/base')]));
const llm: Settings['llm'] = {
  defaultProvider: 'command',
  aliases: {
    planning: { provider: 'command', model: 'default' },
    coding: { provider: 'builtin', model: 'm' },
  },
};
const lacks = ({ provider }: PhaseModel, command: readonly string[] | null) =>
  provider === 'command'
    ? command === null
      ? 'the agent has no `command:`'
      : null
    : 'it is not set up';
const knowledge = { settings: { llm }, lacks };

test('each phase is judged by the executor that it would get, and the choice is named by its key', () => {
  assert.equal(
    findStuckPhases(knowledge, overlay, 'workflows/mixed.md').map(
      ({ phase, provider, key, why }) => [phase, provider, key, why],
    ),
    [
      ['plan', 'command', 'llm.defaultProvider', 'the agent has no `command:`'],
      ['pinned', 'acp:gemini', null, 'it is not set up'],
      ['code', 'builtin', 'llm.aliases.coding.provider', 'it is not set up'],
    ],
  );
});

test('the workflow of the sub-runs is judged with the one that coordinates them', () => {
  const stuck = findStuckPhases(knowledge, overlay, 'workflows/parent.md');
  assert.equal(
    stuck.map(({ workflowPath, phase }) => [workflowPath, phase]),
    [['workflows/child.md', 'a']],
  );
  assert.equal(describeStuckPhases(stuck, 'workflows/parent.md'), [
    'No agent can run the phase a of workflows/child.md (the workflow of the sub-runs): it uses command, but the agent has no `command:`.',
  ]);
  assert.equal(listWantingExecutors(stuck), [{ provider: 'command', key: 'llm.defaultProvider' }]);
});

test('the linter warns where it knows the configuration, and says nothing where it does not', () => {
  const layers = mergeLayers([layerWith('base', FILES, '/opt/base')]);
  const listStuckPhases = (lint: typeof knowledge.lacks | undefined) =>
    openOverlay(layers, {
      executors: { ids: ['command', 'builtin', 'acp:gemini'], llm, ...(lint && { lacks: lint }) },
    })
      .workflow('workflows/mixed.md')
      .diagnostics.map(({ line, severity, code }) => `${line} ${severity} ${code}`);
  assert.equal(
    listStuckPhases(lacks),
    [4, 7, 8].map((line) => `${line} warning agent-without-executor`),
  );
  assert.equal(listStuckPhases(undefined), []);
});

test('a workflow does nothing when it has no agent, no checkpoint and no sub-runs', () => {
  const table = (agent: string | null, interactive_checkpoint: boolean, enabled = false) =>
    ({
      phases: [{ agent, interactive_checkpoint }],
      coordinator: enabled ? { enabled } : null,
    }) as WorkflowTable;
  assert.is(doesNothing(table(null, false)), true);
  assert.is(doesNothing(table('agents/a.md', false)), false);
  assert.is(doesNothing(table(null, true)), false);
  assert.is(doesNothing(table(null, false, true)), false);
});

test('a refusal names phases and reason, what was found, and ends in the one command', async () => {
  const advise = async () => ({
    command: 'svc config set a b',
    inFolderOf: 'shop',
    found: ['Ollama', 'opencode'],
    open: false,
    typed: false,
  });
  const stuck = findStuckPhases(knowledge, overlay, 'workflows/mixed.md').slice(0, 1);
  const errors = [
    { pointer: '/params/repoSlug', message: 'names shop, but no repository is configured' },
  ];
  const refusal = await catchRefusal(() =>
    refuseToRun({ ...knowledge, advise }, 'workflows/mixed.md', {
      stuck,
      repo: { slug: 'shop', errors, othersAreKnown: false },
    }),
  );
  assert.is(refusal.code, 'cannot-run');
  assert.is(refusal.status, 422);
  assert.equal(refusal.message.split('\n'), [
    'The job cannot run. params.repoSlug names shop, but no repository is configured.',
    'No agent can run the phase plan: it uses command, but the agent has no `command:`.',
    'Found on this machine: Ollama and opencode.',
    'Run this in the folder of the repository shop, then start the job again:',
    '  svc config set a b',
  ]);
  assert.equal(refusal.data.command, 'svc config set a b');
  assert.equal(refusal.errors, errors);
});

test.run();
