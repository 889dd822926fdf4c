import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Pace } from '../../../src/cloud/homes/pace.ts';

const test = suite('cloud: how fast entries are taken');

const start = () => {
  const clock = { time: 1_000_000, now: () => clock.time };
  return { clock, pace: new Pace(clock, 50) };
};

test('a second of entries is taken at once (RUN-5)', () => {
  assert.is(start().pace.use(50), 0);
});

test('what is more waits as long as it is too much, and is taken (RUN-5)', () => {
  const { pace } = start();
  assert.is(pace.use(75), 500);
  assert.is(pace.use(25), 1_000);
});

test('a wait is made up for by the time that passes (RUN-5)', () => {
  const { clock, pace } = start();
  pace.use(100);
  clock.time += 1_000;
  assert.is(pace.use(0), 0);
  assert.is(pace.use(50), 1_000);
});

test('an idle home saves up no more than a second (RUN-5)', () => {
  const { clock, pace } = start();
  clock.time += 3_600_000;
  assert.is(pace.use(60), 200);
});

test('a clock that is set back by an hour gives nothing, and takes nothing (RUN-5)', () => {
  const { clock, pace } = start();
  pace.use(50);
  clock.time -= 3_600_000;
  assert.is(pace.use(50), 1_000);
  clock.time += 1_000;
  assert.is(pace.use(0), 0);
});

test.run();
