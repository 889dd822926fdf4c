import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import { buildWorkflowChart } from '../../../src/workflows/definition/buildWorkflowChart.ts';
import { addWorkflowExits } from '../../../ui/chart/picture/addWorkflowExits.ts';
import { buildMachineGraph } from '../../../ui/chart/picture/buildMachineGraph.ts';
import { flattenNodes } from '../../../ui/chart/picture/graph.ts';
import {
  describeArrowCount,
  matchTransitions,
} from '../../../ui/chart/picture/matchTransitions.ts';
import { toScriptStep } from '../../../ui/chart/toScriptStep.ts';
import { JOB_WORKFLOW } from '../../support/charts/jobSteps.ts';

const test = suite('ui chart: numbers of runs, and exits');

const table: WorkflowTable = JOB_WORKFLOW;
const chart = buildWorkflowChart(table, ({ name }) => (name === 'evaluation' ? ['coding'] : []));

const createTransition = (from: string, to: string, cause: string, times = 1, failed = 0) => ({
  from,
  to,
  cause,
  times,
  failed,
});

test('each transition is on the arrow that has its cause; an arrow that was never taken has 0 (UI-3)', () => {
  const { arrows, others } = matchTransitions(chart, [
    createTransition('planning', 'coding', 'approved', 5, 1),
    createTransition('planning', 'planning', 'rejected', 2),
    createTransition('pr-wait', 'testing', 'merged', 4),
    createTransition('pr-wait', 'coding', 'news', 3),
    createTransition('evaluation', 'coding', 'goto', 2, 2),
    createTransition('reporting', 'reporting', 'blocked'),
    createTransition('coding', 'planning', 'rerun'),
  ]);
  const counts = chart.states.flatMap(({ arrows: leaving }) =>
    leaving.flatMap(({ id, event, guard }) => {
      const count = arrows.get(id);
      return count && count.times > 0
        ? [[`${event} ${guard?.name ?? ''}`.trim(), count.times, count.failed]]
        : [];
    }),
  );
  assert.equal(counts, [
    ['job.resume approved', 5, 1],
    ['job.resume rejected', 2, 0],
    ['forge.event merged', 4, 0],
    ['forge.event news', 3, 0],
    ['tool.goto_phase', 2, 2],
    ['session.ended gateBlocks', 1, 0],
  ]);
  assert.equal(others, [createTransition('coding', 'planning', 'rerun')]);
});

test('failures are apart: on the phase, and on the arrows to them once these are drawn (UI-3)', () => {
  const transitions = [
    createTransition('coding', '(failed)', 'ended', 2, 2),
    createTransition('coding', '(escalated)', 'ended', 1, 1),
    createTransition('coding', '(budget)', 'budget', 4),
  ];
  const plain = matchTransitions(chart, transitions);
  assert.is(plain.failedIn.get('coding'), 3);
  assert.equal(plain.others, [createTransition('coding', '(budget)', 'budget', 4)]);
  const { arrows, others } = matchTransitions(addWorkflowExits(chart), transitions);
  assert.equal(
    ['failed', 'escalated', 'budget'].map((exit) => arrows.get(`coding#${exit}`)?.times),
    [2, 1, 4],
  );
  assert.equal(others, []);
});

test('the numbers are written on the arrows and into the boxes (UI-3)', () => {
  const counts = matchTransitions(chart, [
    createTransition('planning', 'coding', 'approved', 5, 1),
    createTransition('planning', 'planning', 'rejected', 2),
    createTransition('coding', '(failed)', 'ended', 1, 1),
  ]);
  const graph = buildMachineGraph(chart, {
    allEffects: false,
    bundled: false,
    plain: 'workflow',
    counts,
  });
  const way = graph.edges.find(({ id }) => id === 'planning->coding')?.ways[0];
  assert.equal(
    way?.rows.filter(({ role }) => role === 'count' || role === 'failed').map(({ text }) => text),
    ['5×', '1 failed'],
  );
  const rows = (path: string) =>
    flattenNodes(graph.nodes)
      .find(({ id }) => id === path)
      ?.rows.map(({ text }) => text);
  assert.ok(rows('planning')?.includes('here 2×'));
  assert.ok(rows('coding')?.includes('1 run failed here'));
});

for (const [count, says] of [
  [{ times: 0, failed: 0 }, 'never taken in these runs'],
  [{ times: 1, failed: 0 }, 'taken once'],
  [{ times: 7, failed: 2 }, 'taken 7 times, 2 of them in runs that failed'],
] as const)
  test(`it is read aloud as "${says}" (UI-3)`, () => {
    assert.is(describeArrowCount(count), says);
  });

test('only on demand an agent phase leads to a failure, an escalation and the wait for a budget (UI-3)', () => {
  const targets = (root: typeof chart, path: string) =>
    root.states.find((state) => state.path === path)?.arrows.flatMap((arrow) => arrow.targets);
  const exits = ['(failed)', '(escalated)', '(budget)'];
  const whole = addWorkflowExits(chart);
  assert.equal(targets(whole, 'coding')?.slice(-3), exits);
  assert.equal(targets(whole, 'pr-wait'), targets(chart, 'pr-wait'));
  assert.not.ok(targets(chart, 'coding')?.some((target) => exits.includes(target)));
  assert.match(
    whole.states.find(({ path }) => path === 'coding')?.description ?? '',
    /goto_phase: any other phase/,
  );
});

test('a failure and an escalation can be simulated from their arrow (UI-3)', () => {
  const coding = addWorkflowExits(chart).states.find(({ path }) => path === 'coding');
  assert.equal(
    coding?.arrows.slice(-3).map((arrow) => toScriptStep(arrow, coding)),
    ['- { in: coding, end: error }', '- { in: coding, escalate: I need a decision. }', null],
  );
});

test.run();
