import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { LastKnown, REFRESH_MS } from '../../../src/host/metrics/lastKnown.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('values that others answer');

/** Lets the time pass, and what it has begun end. */
const pass = async (clock: SimulatedClock, ms: number): Promise<void> => {
  clock.advance(ms);
  await setImmediate();
};

test('are those of the last answer, with their age; one that fails or never ends leaves them', async () => {
  const clock = new SimulatedClock(1_000);
  const never = createDeferred<number>();
  const answers = [async () => 1, () => Promise.reject(new Error('down')), () => never.promise];
  let reads = 0;
  const known = new LastKnown(0, () => answers[reads++]?.() ?? Promise.reject(new Error()), clock);
  assert.equal(known.known, { value: 0, ageSeconds: null });
  await known.begin();
  assert.equal(known.known, { value: 1, ageSeconds: 0 });
  await pass(clock, REFRESH_MS);
  assert.equal(known.known, { value: 1, ageSeconds: 60 });
  await pass(clock, REFRESH_MS);
  await pass(clock, 5 * REFRESH_MS);
  assert.is(reads, 3, 'one that has not ended is not asked again');
  assert.equal(known.known, { value: 1, ageSeconds: 420 });
  known.stop();
});

test('are not read again once it is stopped', async () => {
  const clock = new SimulatedClock(0);
  let reads = 0;
  const known = new LastKnown(0, async () => ++reads, clock);
  await known.begin();
  known.stop();
  await pass(clock, 2 * REFRESH_MS);
  assert.is(reads, 1);
});

test.run();
