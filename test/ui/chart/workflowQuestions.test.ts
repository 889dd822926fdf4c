import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildWorkflowMachine } from '../../../src/workflows/definition/buildWorkflowMachine.ts';
import { parseWorkflow } from '../../../src/workflows/definition/parseWorkflow.ts';
import { describeBox, describeStays, describeWayPlainly } from '../../../ui/chart/describeChart.ts';
import { buildMachineGraph } from '../../../ui/chart/picture/buildMachineGraph.ts';
import { flattenNodes } from '../../../ui/chart/picture/graph.ts';

const test = suite(
  'chart: questions about an unknown workflow, answered by what a screen reader reads',
);

/** The names of all that can be chosen in the drawing of a workflow, as the page builds them. */
function readAloud(workflow: string): string {
  const path = `workflows/${workflow}.md`;
  const text = readFileSync(join(import.meta.dirname, '../../../intelligence', path), 'utf8');
  const { file, meta, sketch } = parseWorkflow(text, path);
  assert.ok(sketch);
  const { definition } = buildWorkflowMachine(file, meta, sketch, (agent) =>
    agent === 'agents/evaluator.md' ? 'Call `goto_phase { "phase": "coding" }`.' : undefined,
  );
  const graph = buildMachineGraph(definition, {
    allEffects: false,
    bundled: false,
    plain: 'workflow',
  });
  const nodeTexts = new Map(
    flattenNodes(graph.nodes).map(({ id, title, tags, rows }) => [
      id,
      [title, ...tags, ...rows.map((row) => row.text)].join(' '),
    ]),
  );
  return definition.states
    .flatMap((state) => [
      `${nodeTexts.get(state.path)}. ${describeBox(state, false)}${describeStays(state)}`,
      ...state.arrows.map((arrow) => describeWayPlainly(arrow, state, undefined, 'workflow')),
    ])
    .join('\n');
}

const job = readAloud('job');
const campaign = readAloud('campaign');

for (const [question, answers, answer] of [
  ['Which phase needs an approval?', job, /^planning agent checkpoint /m],
  ['What follows an approval?', job, /from planning, .* approves .*, leads to coding/],
  [
    'What happens on a rejection?',
    job,
    /State planning.*Stays, or begins again, if you ask for changes/,
  ],
  ['What waits for whom?', job, /State planning.*agent to end its turn, then for you to approve/],
  [
    'What does it wait for after the code was written?',
    job,
    /State awaiting-merge.*Waiting for a review or merge/,
  ],
  ['What merges, and what then?', job, /from awaiting-merge, .* was merged.*, leads to testing/],
  ['Where may it loop?', job, /from evaluation, agent goes to another phase.*, leads to coding/],
  ['Who works in a phase, with which model?', job, /^coding agent agents\/coder\.md model coding/m],
  ['When does it end?', job, /if no work item is pending or in-progress, leads to \(complete\)/],
  ['What does a campaign wait for?', campaign, /State awaiting-sub-runs.*every sub-run to end/],
] as const)
  test(`${question} (UI-3)`, () => {
    assert.match(answers, answer);
  });

test.run();
