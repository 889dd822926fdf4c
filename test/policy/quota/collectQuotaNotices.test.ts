import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ActorState } from '../../../src/kernel/chart.ts';
import { collectQuotaNotices } from '../../../src/policy/quota/collectQuotaNotices.ts';

const test = suite('what people are notified of accounts at a limit');

const UNTIL = Date.UTC(2026, 10, 22, 17);

const state = (value: string, chart = 'quota'): ActorState => ({
  id: 'pool:a',
  chart,
  seq: 1,
  value,
  tags: [],
  status: 'active',
  context: {
    pool: 'pool:a',
    closed:
      value === 'billing'
        ? { kind: 'billing', window: null, until: null, since: 0 }
        : { kind: 'exhausted', window: '5 hours', until: UNTIL, since: 0 },
  },
});
const notified = (before: string | undefined, after: string, chart?: string) =>
  collectQuotaNotices({
    steps: [
      {
        before: before === undefined ? undefined : state(before, chart),
        after: state(after, chart),
      },
    ],
  });

test('a limit that lasts is notified with its time', () => {
  const [notice] = notified('open', 'exhausted');
  assert.is(notice?.until, '2026-11-22T17:00:00.000Z');
});

test('missing money is notified without one, and how to continue', () => {
  const [notice] = notified('waking', 'billing');
  assert.match(notice?.text ?? '', /svc accounts retry/);
  assert.is(notice?.until, null);
});

test('missing money is notified while a limit holds', () => {
  assert.is(notified('exhausted', 'billing').length, 1);
});

test('a further hit of the same limit is not notified', () => {
  assert.is(notified('exhausted', 'exhausted').length, 0);
});

test('a probe that meets the limit again is not notified', () => {
  assert.is(notified('probing', 'exhausted').length, 0);
});

test('a probe that finds money missing is notified', () => {
  assert.is(notified('probing', 'billing').length, 1);
});

test('a throttle is over in minutes and not notified', () => {
  assert.is(notified('open', 'throttled').length, 0);
});

test('other actors have states of the same name', () => {
  assert.is(notified('open', 'exhausted', 'job').length, 0);
});

test.run();
