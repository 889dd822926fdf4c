import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unlessAway } from '../../../src/base/concurrency/unlessAway.ts';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('work that waits for a control plane');

const begin = (mostMs = 10_000) => {
  const clock = new SimulatedClock();
  const work = createDeferred<string>();
  const cloud: { awaySince: number | null } = { awaySince: null };
  const limit = { clock, awaySince: () => cloud.awaySince, mostMs };
  return {
    clock,
    work,
    cloud,
    answer: unlessAway(work.promise, limit, (since) => `away ${since}`),
  };
};

test('work that ends in time gives its own outcome, and leaves no timer', async () => {
  const { clock, work, answer } = begin();
  work.resolve('done');
  assert.is(await answer, 'done');
  await Promise.resolve();
  assert.is(clock.waiting, 0);
});

test('work that takes longer continues while the control plane answers', async () => {
  const { clock, work, answer } = begin();
  clock.advance(60_000);
  work.resolve('done');
  assert.is(await answer, 'done');
});

test('it is given up when its time is over and the control plane is away', async () => {
  const { clock, cloud, answer } = begin();
  cloud.awaySince = 7;
  clock.advance(10_000);
  assert.is(await answer, 'away 7');
  assert.is(clock.waiting, 0);
});

test('it is given up within a second where the control plane goes away later', async () => {
  const { clock, cloud, answer } = begin();
  clock.advance(20_500);
  cloud.awaySince = 7;
  clock.advance(1_000);
  assert.is(await answer, 'away 7');
});

test.run();
