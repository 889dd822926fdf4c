import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Schema from 'typebox/schema';
import { Machine, type ChartNode } from '../../../src/contract/schema/workflow/machine.ts';
import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import { parseWorkflow } from '../../../src/workflows/definition/parseWorkflow.ts';
import {
  COMPLETE,
  buildWorkflowChart,
} from '../../../src/workflows/definition/buildWorkflowChart.ts';
import { buildWorkflowMachine } from '../../../src/workflows/definition/buildWorkflowMachine.ts';

const test = suite('workflows: as a chart');

const HEAD = `id: story
initial_phase: planning
phases:
  - { name: planning, agent: agents/planner.md, model: planning, status: planning, interactive_checkpoint: true }
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: merging, agent: null, status: awaiting-pr-merge }
  - { name: testing, agent: agents/tester.md, status: testing }`;

const parseTable = (head: string): WorkflowTable => {
  const { table, diagnostics } = parseWorkflow(
    `---\n${head}\n---\n\nA story.\n`,
    'workflows/story.md',
  );
  assert.ok(table, JSON.stringify(diagnostics));
  return table;
};

const formatArrows = (chart: ChartNode): string[] =>
  chart.states.flatMap(({ name, arrows }) =>
    arrows.map(
      ({ event, guard, targets }) =>
        `${name} --${event}${guard ? ` [${guard.name}]` : ''}--> ${targets.join()}`,
    ),
  );

test('phases follow each other; a checkpoint waits for a developer, a phase without agent for its pull requests (UI-3)', () => {
  const chart = buildWorkflowChart(parseTable(HEAD));
  assert.is(chart.initial, 'planning');
  assert.equal(formatArrows(chart), [
    'planning --job.resume [approved]--> coding',
    'planning --job.resume [rejected]--> planning',
    'planning --job.message--> planning',
    'coding --session.ended--> merging',
    'merging --forge.event [merged]--> testing',
    'merging --forge.event [news]--> coding',
    'merging --job.message--> coding',
    `testing --session.ended [gatePasses]--> ${COMPLETE}`,
    'testing --session.ended [gateBlocks]--> testing',
  ]);
  assert.equal(
    chart.states.map(({ name, type, tags }) => `${name} ${type} ${tags.join()}`),
    [
      'planning atomic agent,checkpoint',
      'coding atomic agent',
      'merging atomic wait',
      'testing atomic agent',
      'complete final ',
    ],
  );
  assert.equal(chart.states[0]?.waits, [
    'for the agent to end its turn',
    'for you to approve what it has shown',
  ]);
  assert.is(chart.states[0]?.description, 'agents/planner.md · model planning · status planning');
});

test('the phase in which a parent waits leads to resumePhase when its sub-runs have ended, and nowhere else', () => {
  const chart = buildWorkflowChart(
    parseTable(`${HEAD}
coordinator: { enabled: true, parkPhase: merging, resumePhase: planning, subRunWorkflowPath: workflows/job.md }`),
  );
  assert.equal(
    formatArrows(chart).filter((arrow) => arrow.startsWith('merging')),
    ['merging --subRuns.settled--> planning'],
  );
  assert.equal(chart.states[2]?.tags, ['sub-runs']);
});

test('a step that a job has taken without its instructions is a way; the one to the next phase exists already', () => {
  const { definition } = buildWorkflowMachine(
    'workflows/story.md',
    { label: 'Story', description: 'A story.' },
    parseTable(HEAD),
    undefined,
    [
      ['testing', 'coding'],
      ['coding', 'merging'],
    ],
  );
  assert.equal(
    formatArrows(definition).filter((arrow) => arrow.includes('goto')),
    ['testing --tool.goto_phase--> coding'],
  );
});

test("phases that an agent's instructions name are ways of the phases that it runs; unknown ones and its own are left out", () => {
  const text =
    'Call `goto_phase { "phase": "coding" }`, `goto_phase { "phase": "gone" }` or `goto_phase { "phase": "testing" }`.';
  const machine = buildWorkflowMachine(
    'workflows/story.md',
    { label: 'Story', description: 'A story.' },
    parseTable(HEAD),
    (path) => (path === 'agents/tester.md' ? text : undefined),
  );
  assert.equal(
    formatArrows(machine.definition).filter((arrow) => arrow.includes('goto')),
    ['testing --tool.goto_phase--> coding'],
  );
  assert.equal(machine.chart, 'workflows/story.md');
  assert.equal(machine.kind, 'workflow');
  assert.equal(machine.label, 'Story');
  assert.ok(Schema.Compile(Machine).Check(machine));
});

test('a first phase without agent is passed immediately, unless it asks a person', () => {
  const head = (more: string) => `initial_phase: first
phases:
  - { name: first, agent: null, status: first${more} }
  - { name: second, agent: agents/a.md, status: second }`;
  assert.equal(formatArrows(buildWorkflowChart(parseTable(head(''))))[0], 'first ----> second');
  const arrows = formatArrows(
    buildWorkflowChart(parseTable(head(', interactive_checkpoint: true'))),
  );
  assert.is(arrows[0], 'first --job.resume [approved]--> second');
});

test('ids of arrows are the place among those of their state, so they stay the same from one reading to the next', () => {
  const ids = buildWorkflowChart(parseTable(HEAD)).states.flatMap(({ arrows }) =>
    arrows.map(({ id }) => id),
  );
  assert.equal(ids.slice(0, 4), ['planning#0', 'planning#1', 'planning#2', 'coding#0']);
  assert.is(new Set(ids).size, ids.length);
});

test.run();
