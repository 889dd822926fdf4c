import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import type { QuotaKind } from '../../../src/base/agents/quotaKinds.ts';
import { quotaMachine } from '../../../machines/quota/quota.ts';
import type { QuotaContext, QuotaEvent } from '../../../machines/quota/quotaContext.ts';
import {
  closeForHit,
  computeProbeTime,
  computeResetTime,
  computeUsedShare,
} from '../../../machines/quota/closeForHit.ts';

const test = suite('an account');

const NOW = Date.UTC(2026, 10, 22, 12);
const M = 60_000;
const H = 60 * M;
const POOL = 'pool:anthropic:https://api.example:0123456789ab';

const input = { pool: POOL, createdAt: NOW };
type Snapshot = SnapshotFrom<ReturnType<typeof quotaMachine>>;

const steps = (events: readonly QuotaEvent[]) => {
  let [snapshot, actions] = initialTransition(quotaMachine(), input);
  for (const event of events) [snapshot, actions] = transition(quotaMachine(), snapshot, event);
  const effects = actions
    .filter(({ type }) => /^(quota\.wake|timer\.)/.test(type))
    .map(({ type, params }) => ({ type, params }));
  return {
    state: (snapshot as Snapshot).value,
    context: snapshot.context as QuotaContext,
    effects,
  };
};

const hit = (kind: QuotaKind, resetsAt: number | null = null, at = NOW): QuotaEvent => ({
  type: 'quota.hit',
  kind,
  window: null,
  resetsAt,
  chance: 0.5,
  at,
});
const due = (at: number): QuotaEvent => ({ type: 'quota.due', at });
const answered: QuotaEvent = { type: 'quota.answered', at: NOW + H };
const createWokenEvent = (jobs: number, left: number): QuotaEvent => ({
  type: 'quota.woken',
  jobs,
  left,
  at: NOW + H,
});
const createSeenEvent = (used: number, resetsAt: number | null = NOW + H): QuotaEvent => ({
  type: 'quota.seen',
  used,
  window: '5 hours',
  resetsAt,
  chance: 0,
  at: NOW,
});

for (const [kind, state] of [
  ['throttled', 'throttled'],
  ['overloaded', 'throttled'],
  ['exhausted', 'exhausted'],
  ['billing', 'billing'],
] as const) {
  test(`a limit of kind ${kind} closes it as ${state}`, () => {
    assert.is(steps([hit(kind)]).state, state);
  });
}

test('a limit sets the timer of its reset, 5 to 30 s later', () => {
  assert.equal(steps([hit('exhausted', NOW + 2 * H)]).effects, [
    {
      type: 'timer.set',
      params: { name: 'due', due: NOW + 2 * H + 17_500, event: { type: 'quota.due' } },
    },
  ]);
});

test('missing money sets no timer', () => {
  assert.equal(steps([hit('billing')]).effects, []);
});

test('missing money does not go away by another limit or by time', () => {
  assert.is(steps([hit('billing'), hit('throttled', NOW + M), due(NOW + H)]).state, 'billing');
});

test('of two limits the one that ends last counts', () => {
  const { context } = steps([hit('exhausted', NOW + 5 * H), hit('throttled', NOW + M)]);
  assert.is(context.closed?.until, NOW + 5 * H);
});

test('a later limit is taken while one holds', () => {
  const { context } = steps([hit('throttled', NOW + M), hit('exhausted', NOW + 5 * H)]);
  assert.equal(context.closed, { kind: 'exhausted', window: null, until: NOW + 5 * H, since: NOW });
});

test('after the reset one job is woken as the probe', () => {
  const { state, effects } = steps([hit('exhausted', NOW + H), due(NOW + H)]);
  assert.is(state, 'probing');
  assert.equal(effects[1], { type: 'quota.wake', params: { pool: POOL, jobs: 1, probe: null } });
});

test('when the probe has asked nothing its name is given: it may still wait for its turn', () => {
  const wokenByName: QuotaEvent = {
    type: 'quota.woken',
    jobs: 1,
    left: 3,
    first: 'job-1',
    at: NOW + H,
  };
  const { effects } = steps([hit('exhausted', NOW + H), due(NOW + H), wokenByName, due(NOW + H)]);
  const woke = effects.find(({ type }) => type === 'quota.wake');
  assert.equal(woke?.params, { pool: POOL, jobs: 1, probe: 'job-1' });
});

test('jobs are woken in waves of 1, 2 and 4 after the probe has had an answer', () => {
  const events = [hit('exhausted', NOW + H), due(NOW + H), answered];
  const jobs = [0, 1, 2].map((waves) => {
    const more = Array.from({ length: waves }, () => [createWokenEvent(1, 9), due(NOW + H)]).flat();
    return steps([...events, ...more]).effects.find(({ type }) => type === 'quota.wake')?.params;
  });
  assert.equal(
    jobs,
    [1, 2, 4].map((count) => ({ pool: POOL, jobs: count })),
  );
});

test('answers to sessions of one wave do not make the next one smaller', () => {
  const first = [hit('exhausted', NOW + H), due(NOW + H), answered, createWokenEvent(1, 9)];
  const { effects } = steps([...first, answered, due(NOW + 2 * H)]);
  const wave = effects.find(({ type }) => type === 'quota.wake');
  assert.equal(wave?.params, { pool: POOL, jobs: 2 });
});

test('the next wave comes 10 s after the one before', () => {
  const { effects } = steps([
    hit('exhausted', NOW + H),
    due(NOW + H),
    answered,
    createWokenEvent(1, 3),
  ]);
  assert.equal(effects[0]?.params, {
    name: 'due',
    due: NOW + H + 10_000,
    event: { type: 'quota.due' },
  });
});

test('it is open when no job waits any more', () => {
  const { state } = steps([
    hit('exhausted', NOW + H),
    due(NOW + H),
    answered,
    createWokenEvent(1, 0),
  ]);
  assert.is(state, 'open');
});

test('with no job to probe it is open, and the next session is the probe', () => {
  assert.is(steps([hit('exhausted', NOW + H), due(NOW + H), createWokenEvent(0, 0)]).state, 'open');
});

test('a probe that asks nothing is followed by the next job', () => {
  const { state, effects } = steps([hit('exhausted', NOW + H), due(NOW + H), due(NOW + 2 * H)]);
  assert.is(state, 'probing');
  assert.ok(effects.some(({ type }) => type === 'quota.wake'));
});

test('a probe that meets the limit again doubles the wait where no time is named', () => {
  const first = NOW + 15 * M;
  const { state, context } = steps([hit('exhausted'), due(first), hit('exhausted', null, first)]);
  assert.is(state, 'exhausted');
  assert.is(context.closed?.until, first + 30 * M);
});

test('a person opens it for a probe at any time', () => {
  const opened: QuotaEvent = { type: 'quota.opened', at: NOW };
  for (const kind of ['billing', 'exhausted', 'throttled'] as const)
    assert.is(steps([hit(kind), opened]).state, 'probing', kind);
});

test('a job that waits although it is open is woken', () => {
  assert.is(steps([{ type: 'quota.waits', at: NOW }]).state, 'waking');
});

test('a job that waits for room is not woken before there is room', () => {
  assert.is(steps([createSeenEvent(0.95), { type: 'quota.waits', at: NOW }]).state, 'open');
});

test('jobs that waited for room are woken when the window begins again', () => {
  const { state, context } = steps([createSeenEvent(0.95), { type: 'quota.room', at: NOW + H }]);
  assert.is(state, 'waking');
  assert.is(context.use, null);
});

test('room before its time wakes jobs too', () => {
  assert.is(steps([createSeenEvent(0.95), createSeenEvent(0.2)]).state, 'waking');
});

test('the wait without a time is 15 minutes, doubling to 5 hours', () => {
  const waits = [0, 1, 2, 4, 5, 99].map((failures) =>
    computeResetTime({ kind: 'exhausted', resetsAt: null }, failures, 0),
  );
  assert.equal(waits, [15 * M, 30 * M, 60 * M, 4 * H, 5 * H, 5 * H]);
});

test('a measured wait is neither shortened nor prolonged', () => {
  assert.is(computeResetTime({ kind: 'throttled', resetsAt: NOW + 7_000 }, 0, NOW), NOW + 7_000);
  assert.is(
    computeResetTime({ kind: 'exhausted', resetsAt: NOW + 7_999_000 }, 0, NOW),
    NOW + 7_999_000,
  );
});

test('a time that was wrong before is trusted less each time', () => {
  const at = (failures: number) =>
    computeResetTime({ kind: 'throttled', resetsAt: NOW + 1_000 }, failures, NOW);
  assert.equal([at(1), at(2), at(3)], [NOW + M, NOW + 2 * M, NOW + 4 * M]);
});

test('a time more than 31 days away counts as none', () => {
  assert.is(
    computeResetTime({ kind: 'exhausted', resetsAt: NOW + 32 * 24 * H }, 0, NOW),
    NOW + 15 * M,
  );
});

test('a time in the past counts as none', () => {
  assert.is(computeResetTime({ kind: 'exhausted', resetsAt: NOW - 1 }, 0, NOW), NOW + 15 * M);
});

test('the probe comes 5 to 30 s after the reset', () => {
  assert.equal([computeProbeTime(0, 0), computeProbeTime(0, 0.999_999)], [5_000, 30_000]);
});

test('how full an account is counts until its window begins again', () => {
  const use = { used: 0.95, window: null, resetsAt: NOW + H, at: NOW };
  assert.equal(
    [computeUsedShare(use, NOW), computeUsedShare(use, NOW + H), computeUsedShare(null, NOW)],
    [0.95, 0, 0],
  );
});

test('money that is missing outlasts every other limit', () => {
  const missing = { kind: 'billing' as const, window: null, until: null, since: NOW };
  const later = { kind: 'exhausted' as const, window: null, resetsAt: NOW + H };
  assert.equal(closeForHit({ closed: missing, failures: 0 }, later, NOW), missing);
});

test.run();
