import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOCAL_FORGE } from '../../../src/providers/local/describe.ts';
import { jobChart } from '../../../machines/index.ts';
import { item, SteppedJob } from '../../support/charts/jobSteps.ts';
import { jobIn, LEAF_STATES, type LeafState } from '../../support/charts/jobStates.ts';

const test = suite('job chart: lists, frames, given-up effects');

const WAITING = 'waiting';

const INDEX: Record<
  LeafState,
  [label: string, activity: string, slot: boolean, waiting: typeof WAITING | null]
> = {
  queued: ['planning', 'live', false, WAITING],
  'working.preparing': ['planning', 'live', true, null],
  'working.inSession': ['coding', 'live', true, null],
  'working.judging': ['coding', 'live', true, null],
  'working.stopping': ['coding', 'live', true, null],
  'parked.approval': ['awaiting-plan-approval', 'parked', false, null],
  'parked.event': ['awaiting-pr-merge', 'parked', false, null],
  'parked.external': ['awaiting-pr-merge', 'parked', false, null],
  'parked.quota': ['coding', 'parked', false, null],
  'parked.budget': ['coding', 'parked', false, null],
  'parked.outage': ['coding', 'parked', false, null],
  'parked.flagged': ['awaiting-developer-input', 'parked', false, null],
  'parked.developer': ['awaiting-developer-input', 'parked', false, null],
  'parked.paused': ['coding', 'parked', false, null],
  'parked.halted': ['awaiting-sub-runs', 'parked', false, null],
  'parked.subRuns': ['awaiting-sub-runs', 'parked', false, null],
  'ended.complete': ['complete', 'ended', false, null],
  'ended.failed': ['failed', 'ended', false, null],
  'ended.escalated': ['escalated', 'ended', false, null],
  'ended.cancelled': ['cancelled', 'ended', false, null],
};

for (const state of LEAF_STATES) {
  test(`${state} in lists (HTTP-2)`, () => {
    const job = jobIn(state);
    const [label, activity, slot, waiting] = INDEX[state];
    assert.equal(jobChart.index(job.state), {
      label,
      kind: 'job',
      parent: null,
      slot,
      waitingSince: waiting === WAITING ? job.now : null,
      activity,
    });
  });
}

test('a new job waits since its creation; a sub-run names its parent', () => {
  const job = new SteppedJob(undefined, {
    type: 'self-update',
    params: { parentJobId: 'p-job-1' },
  });
  assert.equal(jobChart.index(job.state), {
    label: 'queued',
    kind: 'self-update',
    parent: 'p-job-1',
    slot: false,
    waitingSince: Date.UTC(2026, 0, 1),
    activity: 'live',
  });
});

test('a state frame is written when something that it shows has changed, and only then (HTTP-3)', () => {
  const job = new SteppedJob();
  assert.equal(job.frames, [
    {
      kind: 'state',
      data: {
        at: '2026-01-01T00:00:00.000Z',
        event: 'xstate.init',
        status: 'queued',
        phase: 'planning',
        visit: 0,
        state: ['queued'],
        parked: null,
        ended: false,
      },
    },
  ]);
  const states = () => job.frames.filter(({ kind }) => kind === 'state').length;
  job.run();
  const before = states();
  job.tool('add_insight', { id: 'ins', category: 'pitfall', text: 'careful' });
  job.tool('set_job_params', { params: { a: 1 } });
  assert.is(states(), before);
  job.tool('set_work_items', { items: [item('a', 'in-progress')] });
  assert.is(states(), before + 1);
  job.end();
  const { data } = job.frames.filter(({ kind }) => kind === 'state').at(-1) ?? { data: {} };
  assert.equal(data, {
    at: new Date(job.now).toISOString(),
    event: 'session.ended',
    status: 'awaiting-plan-approval:a',
    phase: 'planning',
    visit: 1,
    state: ['parked.approval'],
    parked: {
      kind: 'approval',
      since: new Date(job.now).toISOString(),
      reason: 'phase planning waits for your approval',
    },
    ended: false,
  });
});

test('a given-up effect is reported with what fences it', () => {
  const effect = { effectId: 'e', attempts: 4, error: 'no', why: 'port-failed' as const };
  const event = { type: 'effect.givenUp', why: 'port-failed', attempts: 4, error: 'no' };
  assert.equal(
    jobChart.createGivenUpEvent({
      ...effect,
      type: 'session.open',
      params: { visit: 2, session: 1 },
    }),
    { ...event, effect: 'session.open', visit: 2, session: 1, key: null },
  );
  assert.equal(
    jobChart.createGivenUpEvent({ ...effect, type: 'forge.write', params: { key: 'k' } }),
    {
      ...event,
      effect: 'forge.write',
      visit: null,
      session: null,
      key: 'k',
    },
  );
  assert.equal(jobChart.createGivenUpEvent({ ...effect, type: 'odd', params: null }), {
    ...event,
    effect: 'odd',
    visit: null,
    session: null,
    key: null,
  });
});

test('a write to a remote forge on which no port had the last word may have been done: it is undecided', () => {
  const params = { key: 'k', forge: 'github', operation: 'post_pr_comment' };
  const effect = {
    effectId: 'job-1/7/0',
    type: 'forge.write',
    attempts: 5,
    error: 'the runner was restarted 5 times without progress',
  };
  const givenUp = (
    forge: string,
    why: 'port-failed' | 'outcome-not-stored' | 'restarts-without-progress',
  ) => jobChart.createGivenUpEvent({ ...effect, params: { ...params, forge }, why });
  assert.equal(givenUp('github', 'restarts-without-progress'), {
    type: 'forge.wrote',
    key: 'k',
    operation: 'post_pr_comment',
    ok: false,
    pr: null,
    result: {
      error:
        'It is unknown whether post_pr_comment was done: the runner was restarted 5 times without progress. A person has to check; it is not repeated.',
      code: 'undecided',
      operationId: 'job-1/7/0',
    },
  });
  assert.equal(
    [
      givenUp('github', 'outcome-not-stored'),
      givenUp('github', 'port-failed'),
      givenUp(LOCAL_FORGE, 'restarts-without-progress'),
    ].map(({ type }) => type),
    ['forge.wrote', 'effect.givenUp', 'effect.givenUp'],
  );
});

test.run();
