import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitForAnswer } from '../../../src/base/time/waitForAnswer.ts';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('an answer within a time');

test('is given; one that never comes is refused then, and no timer is left', async () => {
  const clock = new SimulatedClock();
  assert.is(await waitForAnswer(Promise.resolve(7), 5_000, clock), 7);
  const waiting = waitForAnswer(createDeferred<number>().promise, 5_000, clock).catch(String);
  clock.advance(5_000);
  assert.match(String(await waiting), 'It did not answer within 5 s.');
  assert.is(clock.waiting, 0);
});

test.run();
