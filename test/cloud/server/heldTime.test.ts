import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HeldTime } from '../../../src/cloud/server/heldTime.ts';

const test = suite('cloud: whether the lease of a node holds');

const start = () => {
  const at = { wall: 1_000_000, monotonic: 0 };
  const held = new HeldTime({ now: () => at.wall }, () => at.monotonic, 15_000);
  held.renew(held.begin());
  const pass = (wall: number, monotonic = wall) => {
    at.wall += wall;
    at.monotonic += monotonic;
  };
  return { held, pass };
};

test('it holds from when its renewal was sent, not from the answer (RUN-5)', () => {
  const { held, pass } = start();
  const sentAt = held.begin();
  pass(10_000);
  held.renew(sentAt);
  pass(4_999);
  assert.is(held.holds(), true);
  pass(1);
  assert.is(held.holds(), false);
});

test('a suspend, in which one clock has stopped, ends it (RUN-5)', () => {
  const { held, pass } = start();
  pass(600_000, 0);
  assert.is(held.holds(), false);
});

test('a clock that is set back by an hour does not make it longer (RUN-5)', () => {
  const { held, pass } = start();
  pass(-3_600_000, 15_000);
  assert.is(held.holds(), false);
});

test('after a break the time for which it is held begins again (RUN-5)', () => {
  const { held, pass } = start();
  const first = held.since;
  pass(5_000);
  held.renew(held.begin());
  assert.is(held.since, first);
  pass(15_000);
  assert.is(held.since, null);
  held.renew(held.begin());
  assert.is(held.since, (first ?? 0) + 20_000);
});

test('before a first renewal, and after it was given up, it does not hold (RUN-5)', () => {
  const { held } = start();
  held.end();
  assert.is(held.holds(), false);
});

test.run();
