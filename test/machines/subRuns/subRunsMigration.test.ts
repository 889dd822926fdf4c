import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createActor, type Snapshot, transition } from 'xstate';
import { jobChart, type SubRunsContext, subRunsChart } from '../../../machines/index.ts';
import { Dispatcher } from '../../support/charts/dispatcherSteps.ts';
import { CAMPAIGN_WORKFLOW, SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('campaigns of release 0.2');

/** A dispatcher as 0.2 stored it. */
const createStoredState = (
  value: string,
  marks: string,
  more: { attended?: boolean; roundFrom?: number } = {},
) => {
  const names = [...marks].map((_, n) => `n${n}`);
  const { policy, createdAt } = new Dispatcher().context;
  const context = {
    parentJobId: 'shop-job-1',
    cap: 2,
    policy,
    createdAt,
    attended: true,
    roundFrom: 0,
    ...more,
    graph: {
      names,
      dependsOn: names.map((_, n) => (n === 2 ? ['n1'] : [])),
      marks,
      attempts: names.map(() => 1),
    },
  };
  const snapshot: Snapshot<unknown> & Record<string, unknown> = {
    status: 'active',
    output: undefined,
    error: undefined,
    value,
    context,
    children: {},
    historyValue: {},
  };
  return snapshot;
};

const restored = (snapshot: ReturnType<typeof createStoredState>) => {
  const migrated = Object.assign({}, snapshot, subRunsChart.migrations[1]?.(snapshot));
  return createActor(subRunsChart.machine, { snapshot: migrated }).getSnapshot();
};

const advanceState = (
  state: ReturnType<typeof restored>,
  event: { type: string; [key: string]: unknown },
) => transition(subRunsChart.machine, state, { at: 1, ...event })[0];
const getMarks = ({ context }: { context: unknown }): string =>
  (context as SubRunsContext).graph.marks;

test('a headless one that had continued after a failure is not halted by the upgrade (SUB-4)', () => {
  const state = restored(createStoredState('dispatching', 'fdu', { attended: false }));
  assert.equal(state.value, 'dispatching');
  assert.equal(getMarks(state), 'Fou');
  const after = advanceState(state, {
    type: 'subRun.ended',
    name: 'n1',
    attempt: 1,
    outcome: 'complete',
    message: null,
  });
  assert.equal(after.value, 'settled');
  assert.equal(getMarks(after), 'Fcu');
});

test('a failure after the upgrade halts it like any other', () => {
  const state = restored(createStoredState('dispatching', 'cdp', { attended: false }));
  const after = advanceState(state, {
    type: 'subRun.ended',
    name: 'n1',
    attempt: 1,
    outcome: 'failed',
    message: 'no',
  });
  assert.equal(after.value, 'halted');
  assert.equal(getMarks(after), 'cfp');
});

test('failures of earlier rounds halt nothing; one that waits for a person waits on', () => {
  assert.is(getMarks(restored(createStoredState('dispatching', 'fdp', { roundFrom: 1 }))), 'Fop');
  const halted = restored(createStoredState('halted', 'fdp'));
  assert.equal(halted.value, 'halted');
  assert.equal(getMarks(halted), 'fop');
});

test('what was dispatched then begins once, whether or not it has its job already', () => {
  const state = restored(createStoredState('dispatching', 'dcp'));
  const prepared = { type: 'subRun.prepared', name: 'n0', attempt: 1, jobId: 'j', input: {} };
  const nextState = advanceState(state, prepared);
  assert.is(getMarks(nextState)[0], 'b');
  assert.is(
    getMarks(
      advanceState(state, {
        type: 'subRun.ended',
        name: 'n0',
        attempt: 1,
        outcome: 'complete',
        message: null,
      }),
    )[0],
    'c',
  );
});

test('one that had settled stays so, and a sub-run of it can be run again now (SUB-6)', () => {
  const state = restored(createStoredState('settled', 'fcc'));
  assert.is(state.value, 'settled');
  const again = advanceState(state, {
    type: 'subRuns.rerun',
    name: 'n0',
    reason: null,
    params: null,
    by: 'developer',
  });
  assert.equal(again.value, 'reopened');
  assert.equal(getMarks(again), 'pcc');
});

const parentOf2 = (at: string, subRuns: string, pausedFrom: string | null = null) => {
  const { snapshot } = new SteppedJob(CAMPAIGN_WORKFLOW);
  const [top = '', leaf = ''] = at.split('.');
  const {
    finalizedIn: _,
    subRunFailures: __,
    ...context
  } = { ...snapshot.context, subRuns, pausedFrom, phase: 'aggregating' };
  const stored2 = {
    status: 'active',
    value: leaf ? { [top]: leaf } : top,
    context,
    children: {},
    historyValue: {},
  };
  return Object.assign({}, stored2, jobChart.migrations[2]?.(stored2));
};

test('a parent that had ended is not reopened by the upgrade, and one paused before its end was reported still continues', () => {
  for (const at of ['ended.complete', 'ended.failed', 'working.inSession', 'queued'])
    assert.is(Object(parentOf2(at, 'settled').context).subRuns, 'over', at);
  assert.is(Object(parentOf2('parked.paused', 'settled', 'subRuns').context).subRuns, 'settled');
  assert.is(Object(parentOf2('parked.subRuns', 'dispatched').context).subRuns, 'dispatched');
});

test.run();
