import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Compile } from 'typebox/compile';
import { mergeLayers } from '../../src/authoring/overlay/mergeLayers.ts';
import { openOverlay } from '../../src/authoring/overlay/openOverlay.ts';
import { readLayer } from '../../src/authoring/overlay/readLayer.ts';
import { toolsOf } from '../../src/tools/catalogue.ts';
import { lintPaths } from '../../src/authoring/overlay/lintPaths.ts';

const test = suite('shipped intelligence');

const root = join(import.meta.dirname, '../../intelligence');
const layer = await readLayer('base', root);
const overlay = openOverlay(mergeLayers([layer]), { aliases: ['planning', 'coding'] });
const workflows = ['workflows/job.md', 'workflows/campaign.md', 'workflows/sub-run.md'];
const agents = [...layer.files.keys()].filter((path) => path.startsWith('agents/'));

test('every shipped workflow and agent is without a finding (INT-5)', async () => {
  assert.equal(overlay.workflows().diagnostics, []);
  assert.equal(
    agents.flatMap((path) => overlay.agent(path).diagnostics),
    [],
  );
  assert.equal(
    await lintPaths([root], { baseIntelligence: null, aliases: ['planning', 'coding'] }),
    [],
  );
});

test('the job workflow has the phases and statuses of the lifecycle (INT-5, INT-6)', () => {
  const { table, meta } = overlay.workflow('workflows/job.md');
  assert.equal(
    table?.phases.map((phase) => [
      phase.name,
      phase.agent,
      phase.status,
      phase.model,
      phase.interactive_checkpoint,
    ]),
    [
      ['planning', 'agents/planner.md', 'planning', 'planning', true],
      ['coding', 'agents/coder.md', 'coding', 'coding', false],
      ['awaiting-merge', null, 'awaiting-pr-merge', null, false],
      ['testing', 'agents/tester.md', 'testing', 'coding', false],
      ['evaluation', 'agents/evaluator.md', 'evaluation', 'planning', false],
      ['reporting', 'agents/reporter.md', 'reporting', 'planning', false],
    ],
  );
  assert.equal(
    [table?.initial_phase, table?.initial_status, table?.coordinator],
    ['planning', 'planning', null],
  );
  assert.equal(meta.createParams, {
    required: ['repo', 'description'],
    optional: ['reviewers', 'jiraTicketId', 'gitProvider'],
  });
});

test('the campaign workflow parks for its sub-runs, and a sub-run ends with its merge (SUB-2 SUB-3 SUB-8)', () => {
  const { table } = overlay.workflow('workflows/campaign.md');
  const phasesOf = (path: string) =>
    overlay
      .workflow(path)
      .table?.phases.map((phase) => [
        phase.name,
        phase.agent,
        phase.status,
        phase.interactive_checkpoint,
      ]);
  assert.equal(phasesOf('workflows/campaign.md'), [
    ['planning', 'agents/campaign-planner.md', 'campaign-planning', true],
    ['awaiting-sub-runs', null, 'awaiting-sub-runs', false],
    ['aggregating', 'agents/campaign-aggregator.md', 'aggregating', false],
  ]);
  assert.equal(table?.coordinator, {
    enabled: true,
    parkPhase: 'awaiting-sub-runs',
    parkStatus: 'awaiting-sub-runs',
    resumePhase: 'aggregating',
    subRunWorkflowPath: 'workflows/sub-run.md',
    subRunParamsDefault: { epicAllowed: false },
    maxParallelSubRuns: 2,
    failurePolicy: 'halt-on-failure',
    forwardSiblingInsights: true,
  });
  assert.equal(phasesOf('workflows/sub-run.md'), [
    ['coding', 'agents/sub-run-coder.md', 'coding', false],
    ['awaiting-pr-merge', null, 'awaiting-pr-merge', false],
  ]);
});

test('every agent file is used by a phase, and every phase finds its agent (INT-5)', () => {
  const used = overlay
    .workflows()
    .workflows.flatMap((entry) => overlay.workflow(entry.workflowPath).agents);
  assert.equal([...new Set(used)].sort(), agents);
});

/** Calls in the texts as `name { arguments }`. */
const calls = [...workflows, ...agents].flatMap((path) =>
  [...overlay.text(path).matchAll(/\b([a-z]+(?:_[a-z]+)*) (\{[^`]*?\})(?=`|\n)/g)].map(
    ([, name = '', json = '']) => ({
      path,
      name,
      json: json.replace(/\n\s*/g, ' '),
    }),
  ),
);

test('every call that the texts show is valid for the tool', () => {
  const tools = toolsOf(['local']);
  assert.ok(calls.length > 30, 'the calls were found');
  for (const { path, name, json } of calls) {
    const tool = tools.get(name);
    assert.ok(tool, `${path}: there is no tool ${name}`);
    const args: unknown = JSON.parse(json);
    assert.equal(tool && Compile(tool.input).Errors(args), [], `${path}: ${name} ${json}`);
  }
});

test('every tool that the texts name exists', () => {
  const tools = toolsOf(['local']);
  const named = [...workflows, ...agents].flatMap((path) =>
    [...overlay.text(path).matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map((match) => match[1] ?? ''),
  );
  assert.ok(named.length > 5, 'the names were found');
  // The name of the tool without its provider, where the text explains providers; fields of
  // contract files begin with merged_.
  assert.equal(
    [...new Set(named)].filter((name) => !tools.has(name) && !name.startsWith('merged_')),
    ['create_pr'],
  );
});

test.run();
