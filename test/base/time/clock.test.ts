import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';

const test = suite('the clock of the machine');

test('a long wait looks at the time of day each minute, so that a machine that slept is late by a minute at most', () => {
  const { now } = Date;
  const { setTimeout: original } = globalThis;
  let time = 1_000_000;
  const armed: { run: () => void; ms: number }[] = [];
  Date.now = () => time;
  globalThis.setTimeout = ((run: () => void, ms: number) => {
    armed.push({ run, ms });
    return original(() => {}, 0);
  }) as typeof setTimeout;
  let fired = 0;
  try {
    systemClock.at(time + 10_800_000, () => {
      fired += 1;
    });
    time += 60_000;
    armed[0]?.run();
    // It sleeps over the time.
    time += 40_000_000;
    armed[1]?.run();
    armed[2]?.run();
  } finally {
    Date.now = now;
    globalThis.setTimeout = original;
  }
  assert.equal(
    armed.map(({ ms }) => ms),
    [60_000, 60_000, 0],
  );
  assert.equal(fired, 1);
});

test('a wait lasts no longer when the time of day is set back by an hour meanwhile', () => {
  const { now } = Date;
  const { now: steadyNow } = performance;
  const { setTimeout: original } = globalThis;
  let [time, steady] = [10_000_000, 0];
  const armed: { run: () => void; ms: number }[] = [];
  Date.now = () => time;
  performance.now = () => steady;
  globalThis.setTimeout = ((run: () => void, ms: number) => {
    armed.push({ run, ms });
    return original(() => {}, 0);
  }) as typeof setTimeout;
  let fired = 0;
  try {
    systemClock.at(time + 100_000, () => {
      fired += 1;
    });
    time += 60_000 - 3_600_000;
    steady += 60_000;
    armed[0]?.run();
    time += 40_000;
    steady += 40_000;
    armed[1]?.run();
  } finally {
    Date.now = now;
    performance.now = steadyNow;
    globalThis.setTimeout = original;
  }
  assert.equal(
    armed.map(({ ms }) => ms),
    [60_000, 40_000],
  );
  assert.equal(fired, 1);
});

test.run();
