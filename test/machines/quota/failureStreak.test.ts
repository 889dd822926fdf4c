import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { initialTransition, transition } from 'xstate';
import { quotaMachine } from '../../../machines/quota/quota.ts';
import type { QuotaContext, QuotaEvent } from '../../../machines/quota/quotaContext.ts';

const test = suite('a pool whose sessions fail at once');

const NOW = Date.UTC(2026, 10, 22, 12);
const M = 60_000;
const POOL = 'pool:anthropic:https://api.example:0123456789ab';

const steps = (events: readonly QuotaEvent[]) => {
  let [snapshot, actions] = initialTransition(quotaMachine(), { pool: POOL, createdAt: NOW });
  for (const event of events) [snapshot, actions] = transition(quotaMachine(), snapshot, event);
  return {
    state: snapshot.value,
    context: snapshot.context as QuotaContext,
    effects: actions.filter(({ type }) => /^(quota\.wake|timer\.)/.test(type)),
  };
};

const createFailureEvent = (job: string, at = NOW, park = 5): QuotaEvent => ({
  type: 'quota.failed',
  job,
  error: '401 invalid key',
  park,
  chance: 0,
  at,
});
const worked: QuotaEvent = { type: 'quota.worked', at: NOW };
const answered: QuotaEvent = { type: 'quota.answered', at: NOW };
const due: QuotaEvent = { type: 'quota.due', at: NOW + 15 * M };
const opened: QuotaEvent = { type: 'quota.opened', at: NOW };
const of = (...jobs: string[]): QuotaEvent[] => jobs.map((job) => createFailureEvent(job));
const FIVE = of('a', 'b', 'c', 'd', 'e');

test('it closes at the fifth in a row, with the error (JOB-16)', () => {
  assert.is(steps(FIVE.slice(0, 4)).state, 'open');
  const { state, context } = steps(FIVE);
  assert.is(state, 'failing');
  assert.equal(context.closed, {
    kind: 'failing',
    window: null,
    until: NOW + 15 * M,
    since: NOW,
    error: '401 invalid key',
  });
});

test('it sets a timer, and then tries with one job', () => {
  assert.equal(
    steps(FIVE).effects.map(({ params }) => (params as { due: number }).due),
    [NOW + 15 * M + 5_000],
  );
  assert.is(steps([...FIVE, due]).state, 'probing');
});

test('the sessions of one job alone do not close it', () => {
  assert.is(steps(of('a', 'a', 'a', 'a', 'a', 'a', 'a')).state, 'open');
});

test('one session of another job among them is enough', () => {
  assert.is(steps(of('a', 'a', 'a', 'a', 'b')).state, 'failing');
});

test('a session that ends well begins the count again', () => {
  assert.is(steps([...of('a', 'b', 'c', 'd'), worked, createFailureEvent('e')]).state, 'open');
});

test('a probe that fails closes it for longer', () => {
  const { state, context } = steps([...FIVE, due, createFailureEvent('a', NOW + 15 * M)]);
  assert.is(state, 'failing');
  assert.is(context.closed?.until, NOW + 45 * M);
});

test('a probe that is answered wakes the others, and the count begins again', () => {
  const { state, context } = steps([...FIVE, due, answered]);
  assert.is(state, 'waking');
  assert.is(context.failing, undefined);
});

test('a person who opens it has it tried at once', () => {
  assert.is(steps([...FIVE, opened]).state, 'probing');
});

test('while jobs are woken it closes as when it is open', () => {
  assert.is(steps([...FIVE, due, answered, ...FIVE]).state, 'failing');
});

test('0 turns the rule off', () => {
  assert.is(
    steps(['a', 'b', 'c', 'd', 'e', 'f'].map((job) => createFailureEvent(job, NOW, 0))).state,
    'open',
  );
});

test('money that is missing outlasts it', () => {
  const hit = { kind: 'billing', window: null, resetsAt: null, chance: 0 } as const;
  assert.is(steps([...FIVE, { type: 'quota.hit', ...hit, at: NOW }]).state, 'billing');
});

test.run();
