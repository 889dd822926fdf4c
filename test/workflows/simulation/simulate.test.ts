import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseScript } from '../../../src/workflows/simulation/parseScript.ts';
import { type SimulationResult, simulate } from '../../../src/workflows/simulation/simulate.ts';
import { CAMPAIGN_WORKFLOW, JOB_WORKFLOW, phase, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('simulation of a workflow');

const play = (script: string, table = JOB_WORKFLOW): Promise<SimulationResult> =>
  simulate({
    workflow: table,
    workflowPath: 'workflows/w.md',
    steps: parseScript(script, 'events.yml'),
  });

const SHORT = workflow([phase('planning', { interactive_checkpoint: true }), phase('coding')]);

/** Where the job came to rest, in sequence: state, phase, status. */
const rests = ({ timeline }: SimulationResult): string[] =>
  timeline
    .filter(({ state }) => state !== 'queued' && state !== 'working.preparing')
    .map(({ state, phase: name, status }) => `${state} ${name} ${status}`)
    .filter((one, index, all) => one !== all[index - 1]);

test('without a script everything follows the workflow: the whole timeline, with who did what (UI-4)', async () => {
  const { timeline, ...result } = await play('', SHORT);
  const at = (hours: number, minutes: number, seconds: number) =>
    ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const planning = { phase: 'planning', visit: 1 };
  const coding = { phase: 'coding', visit: 2 };
  const runner = 'the runner';
  assert.equal(timeline, [
    {
      at: 0,
      event: 'start',
      by: 'a developer',
      state: 'queued',
      status: 'queued',
      phase: 'planning',
      visit: 0,
      log: [],
    },
    {
      at: 0,
      event: 'slot.granted',
      by: runner,
      state: 'working.preparing',
      status: 'planning',
      ...planning,
      log: ['[phase] phase planning begins'],
    },
    {
      at: at(0, 0, 5),
      event: 'phase.prepared',
      by: runner,
      state: 'working.inSession',
      status: 'planning',
      ...planning,
      log: [],
    },
    {
      at: at(0, 1, 5),
      event: 'tool.post_artifact',
      by: 'the agent',
      state: 'working.inSession',
      status: 'planning',
      ...planning,
      log: [],
    },
    {
      at: at(0, 10, 5),
      event: 'session.ended',
      by: runner,
      state: 'parked.approval',
      status: 'awaiting-plan-approval',
      ...planning,
      log: ['[parked] phase planning waits for your approval'],
    },
    {
      at: at(1, 10, 5),
      event: 'job.resume',
      by: 'a developer',
      state: 'queued',
      status: 'awaiting-plan-approval',
      ...planning,
      log: ['[approval] phase planning approved by developer'],
    },
    {
      at: at(1, 10, 5),
      event: 'slot.granted',
      by: runner,
      state: 'working.preparing',
      status: 'coding',
      ...coding,
      log: ['[phase] phase coding begins'],
    },
    {
      at: at(1, 10, 10),
      event: 'phase.prepared',
      by: runner,
      state: 'working.inSession',
      status: 'coding',
      ...coding,
      log: [],
    },
    {
      at: at(1, 20, 10),
      event: 'session.ended',
      by: runner,
      state: 'ended.complete',
      status: 'complete',
      ...coding,
      log: ['[ended] complete'],
    },
  ]);
  assert.equal(result, {
    outcome: 'complete',
    state: 'ended.complete',
    status: 'complete',
    phase: 'coding',
    waitsFor: [],
    message: null,
    took: at(1, 20, 10),
    coverage: [
      { phase: 'planning', visits: 1, reached: true },
      { phase: 'coding', visits: 1, reached: true },
    ],
    failures: [],
  });
});

test('the job workflow goes through every phase; waiting is reached without a visit of its own', async () => {
  const { outcome, coverage } = await play('');
  assert.is(outcome, 'complete');
  assert.equal(
    coverage.map(({ phase: name, visits, reached }) => `${name} ${visits} ${reached}`),
    [
      'planning 1 true',
      'coding 1 true',
      'pr-wait 0 true',
      'testing 1 true',
      'evaluation 1 true',
      'reporting 1 true',
    ],
  );
});

test('a script changes what happens: a plan sent back, a review, an item that needs another round', async () => {
  const simulated = await play(`
- work-items: [one]
- item: { id: one, status: in-progress }
- reject
- in: pr-wait
  event: changes_requested
- expect: { phase: coding, state: working.inSession, status: "coding:one" }
- in: evaluation
  goto: coding
- { in: evaluation, item: { id: one, status: complete }, after: 5m }
`);
  assert.equal(simulated.outcome, 'complete');
  assert.equal(simulated.failures, []);
  assert.equal(
    simulated.coverage.map(({ phase: name, visits }) => `${name} ${visits}`),
    ['planning 2', 'coding 3', 'pr-wait 0', 'testing 2', 'evaluation 2', 'reporting 1'],
  );
});

test('pause, resume, message, cancel and time', async () => {
  const simulated = await play(
    `
- { in: coding, pause: }
- expect: { state: parked.paused, phase: coding }
- wait: 2h
- message: Take care.
- { in: coding, wait: 90s }
- cancel
`,
    SHORT,
  );
  assert.equal(simulated.outcome, 'cancelled');
  assert.equal(simulated.failures, []);
  const times = simulated.timeline
    .filter(({ event }) => event === 'job.pause' || event === 'job.message')
    .map(({ at }) => at);
  assert.ok((times.at(-1) ?? 0) - (times.at(-2) ?? 0) >= 2 * 3_600_000);
});

test('an agent that escalates, and a session that breaks, end the job as they would', async () => {
  const escalated = await play('- in: coding\n  escalate: No access.\n', SHORT);
  assert.equal(escalated.outcome, 'escalated');
  assert.equal(escalated.message, 'No access.');
  const failed = await play('- end: error\n', SHORT);
  assert.equal(failed.outcome, 'failed');
  assert.equal(failed.coverage[1]?.reached, false);
});

test('a campaign waits for its sub-runs; one that fails halts it until a person decides', async () => {
  assert.equal(rests(await play('', CAMPAIGN_WORKFLOW)), [
    'working.inSession planning planning',
    'parked.subRuns waiting awaiting-sub-runs',
    'working.inSession aggregating aggregating',
    'ended.complete aggregating complete',
  ]);
  const halted = await play(
    '- sub-runs: [web, api, docs]\n- sub-run: { name: web, outcome: failed }\n',
    CAMPAIGN_WORKFLOW,
  );
  assert.equal(halted.outcome, 'rests');
  assert.equal(halted.state, 'parked.halted');
  assert.match(halted.waitsFor.join(), 'for you to rerun, skip or cancel sub-runs');
});

test('steps that were impossible, refused or false are reported with their place', async () => {
  const { failures, outcome } = await play(
    `- goto: deploying
- expect: { phase: coding }
- in: coding
  event: merged
`,
    SHORT,
  );
  assert.is(outcome, 'complete');
  assert.equal(
    failures.map(
      ({ line, column, message }) =>
        `${line}:${column} ${message.replace(/: there is no phase.*/s, ': …')}`,
    ),
    [
      '1:3 goto was refused: …',
      '2:3 The phase is planning, not coding.',
      '4:3 event in coding was never possible: the job is ended.complete, in coding.',
    ],
  );
});

test('a script can stop where the interesting part is over', async () => {
  const { outcome, state, waitsFor } = await play('- in: planning\n  end:\n- stop\n', SHORT);
  assert.equal(outcome, 'stopped');
  assert.equal(state, 'parked.approval');
  assert.match(waitsFor.join(), 'for you to approve');
});

test('a workflow that loops forever is reported, and ends', async () => {
  const table = workflow([phase('planning'), phase('waiting', { agent: null })], {
    coordinator: CAMPAIGN_WORKFLOW.coordinator && {
      ...CAMPAIGN_WORKFLOW.coordinator,
      resumePhase: 'planning',
    },
  });
  const { outcome, coverage } = await play('', table);
  assert.is(outcome, 'endless');
  assert.ok((coverage[0]?.visits ?? 0) > 10);
});

test('the same script gives the same result', async () => {
  const script = '- work-items: [a, b]\n- in: pr-wait\n  event: commented\n';
  assert.equal(await play(script), await play(script));
});

test.run();
