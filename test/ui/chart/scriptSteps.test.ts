import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseScript } from '../../../src/workflows/simulation/parseScript.ts';
import { listSimulatedPhases } from '../../../ui/authoring/WorkflowSimulation.tsx';
import { toScriptStep } from '../../../ui/chart/toScriptStep.ts';

const test = suite('chart: an arrow as a step of a simulation');

const arrow = (event: string, guard: string | null = null, target = 'coding') => ({
  event,
  guard: guard === null ? null : { name: guard, says: '', readsEvent: false },
  targets: [target],
});

test('each arrow that a person, an agent or a forge takes is a step in its phase, which the simulation reads (UI-3)', () => {
  for (const one of [
    arrow('job.resume', 'approved'),
    arrow('job.resume', 'rejected'),
    arrow('job.message'),
    arrow('forge.event', 'merged'),
    arrow('forge.event', 'news'),
    arrow('tool.goto_phase', null, 'phase: 1 }'),
    arrow('tool.escalate'),
    arrow('session.ended'),
  ]) {
    const step = toScriptStep(one, { name: 'on: hold' });
    assert.ok(step, one.event);
    assert.is(parseScript(step ?? '', 'script')[0]?.in, 'on: hold', one.event);
  }
});

test('the guard decides between approval and rejection (UI-3)', () => {
  const step = (guard: string) => toScriptStep(arrow('job.resume', guard), { name: 'planning' });
  assert.is(step('approved'), '- { in: planning, approve }');
  assert.is(step('rejected'), '- { in: planning, reject }');
});

test('what no script can cause is no step (UI-3)', () => {
  assert.is(toScriptStep(arrow('quota.reset'), { name: 'coding' }), null);
});

const moment = (phase: string, n: number) => ({
  at: n * 60_000,
  event: 'x',
  by: 'a',
  state: 's',
  status: 's',
  phase,
  visit: 1,
  log: [],
});

test('the path of a simulation has each visit once, up to a moment or to the end, with its time (UI-3)', () => {
  const timeline = ['plan', 'plan', 'code', 'plan', 'code', 'code'].map(moment);
  const simulation = { timeline, outcome: 'complete', took: 400_000 };
  assert.equal(listSimulatedPhases(simulation), [
    { path: 'plan', time: '0:00:00' },
    { path: 'code', time: '0:02:00' },
    { path: 'plan', time: '0:03:00' },
    { path: 'code', time: '0:04:00' },
    { path: '(complete)', time: '0:06:40' },
  ]);
  assert.equal(
    listSimulatedPhases(simulation, 2).map(({ path }) => path),
    ['plan', 'code'],
  );
});

test.run();
