import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { Admission } from '../../../src/cloud/runners/admission.ts';
import {
  createRequestRate,
  DELIVERY_RATE,
  RateLimits,
} from '../../../src/cloud/server/rateLimits.ts';

const test = suite('cloud: limits of a node');

function openLimits(rate = DELIVERY_RATE) {
  let now = 0;
  const limits = new RateLimits({ now: () => now }, rate);
  /** How many of so many at the same time are taken. */
  const take = (key: string, count: number): number => {
    let takenCount = 0;
    for (let n = 0; n < count; n += 1)
      try {
        limits.take(key);
        takenCount += 1;
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        assert.is(error.code, 'rate-limited');
        assert.is(error.data.retryAfterSeconds, 1);
      }
    return takenCount;
  };
  return {
    take,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

test('of requests of a person 600 are taken at the same time, and 10 a second', () => {
  const { take, wait } = openLimits(createRequestRate(600));
  assert.is(take('ada', 700), 600);
  assert.is(take('ben', 1), 1);
  wait(1_000);
  assert.is(take('ada', 100), 10);
});

test('three programs that each ask once a second are never refused', () => {
  const { take, wait } = openLimits(createRequestRate(600));
  for (let second = 0; second < 600; second += 1) {
    assert.is(take('ada', 3), 3);
    wait(1_000);
  }
});

test('of webhooks of a team 500 are taken at the same time, and 50 a second', () => {
  const { take, wait } = openLimits();
  assert.is(take('acme', 600), 500);
  wait(1_000);
  assert.is(take('acme', 100), 50);
});

test('another team has a limit of its own', () => {
  const { take } = openLimits();
  take('acme', 600);
  assert.is(take('other', 1), 1);
});

test('a clock that is set back gives and takes nothing', () => {
  const { take, wait } = openLimits();
  take('acme', 499);
  wait(-60_000);
  assert.is(take('acme', 5), 1);
});

test('a node with the most sockets admits no further one', () => {
  const clock = { now: () => 0, at: () => () => undefined };
  const admission = new Admission(clock, { perSecond: 200, most: 5_000 });
  assert.equal([admission.admit(4_999), admission.admit(5_000)], [true, false]);
});

test.run();
