import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { raceDeadline, sleep } from '../../../src/base/time/waiting.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('waiting on a clock');

test('a sleep ends at its time', async () => {
  const clock = new SimulatedClock();
  let over = false;
  const slept = sleep(clock, 100).then(() => {
    over = true;
  });
  clock.advance(99);
  await Promise.resolve();
  assert.is(over, false);
  clock.advance(1);
  await slept;
  assert.is(over, true);
});

test('an abort ends a sleep early and leaves no timer', async () => {
  const clock = new SimulatedClock();
  const stop = new AbortController();
  const slept = sleep(clock, 100, stop.signal);
  stop.abort();
  await slept;
  assert.is(clock.waiting, 0);
});

test('a sleep with a signal that is aborted already ends at once', async () => {
  const clock = new SimulatedClock();
  await sleep(clock, 100, AbortSignal.abort());
  assert.is(clock.waiting, 0);
});

test('an answer in time is passed on and leaves no timer', async () => {
  const clock = new SimulatedClock();
  const answer = await raceDeadline(clock, 100, Promise.resolve('here'), () => 'late');
  assert.is(answer, 'here');
  assert.is(clock.waiting, 0);
});

test('after the deadline the answer is what is returned for a late one', async () => {
  const clock = new SimulatedClock();
  const answer = raceDeadline(clock, 100, new Promise(() => {}), () => 'late');
  clock.advance(100);
  assert.is(await answer, 'late');
});

test('what is thrown for a late answer is thrown', async () => {
  const clock = new SimulatedClock();
  const answer = raceDeadline(clock, 100, new Promise(() => {}), () => {
    throw new Error('too late');
  });
  clock.advance(100);
  assert.is(await answer.catch((error: unknown) => String(error)), 'Error: too late');
});

test('a rejection of the answer is passed on', async () => {
  const clock = new SimulatedClock();
  const answer = raceDeadline(clock, 100, Promise.reject(new Error('broken')), () => 'late');
  assert.is(await answer.catch((error: unknown) => String(error)), 'Error: broken');
  assert.is(clock.waiting, 0);
});

test.run();
