import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SessionEvent } from '../../../src/contract/session/executor.ts';
import { SessionDeadline } from '../../../src/sessions/limits/sessionDeadline.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('the time of a session whose job works unattended');

const CALL_OVER = { type: 'tool', at: 'end', name: 'shell' } as SessionEvent;
const WORDS = { type: 'token', text: 'still thinking' } as SessionEvent;
const HOUR = 3_600_000;

const stage = () => {
  const clock = new SimulatedClock();
  const until = new Date(clock.now() + HOUR).toISOString();
  return { clock, deadline: new SessionDeadline({ params: { unattended: { until } } }, clock) };
};

test('a call that is over before the limit ends nothing', () => {
  const { deadline } = stage();
  deadline.onEvent(CALL_OVER);
  assert.is(deadline.cut.aborted, false);
});

test('the first call that is over after the limit ends the session (JOB-16)', async () => {
  const { clock, deadline } = stage();
  await clock.advance(HOUR);
  assert.is(deadline.cut.aborted, false);
  deadline.onEvent(WORDS);
  assert.is(deadline.cut.aborted, false);
  deadline.onEvent(CALL_OVER);
  assert.is(deadline.cut.aborted, true);
});

test('one that comes to no boundary is ended two minutes later', async () => {
  const { clock, deadline } = stage();
  await clock.advance(HOUR + 119_000);
  assert.is(deadline.cut.aborted, false);
  await clock.advance(1000);
  assert.is(deadline.cut.aborted, true);
});

test('without a limit nothing is over', async () => {
  const clock = new SimulatedClock();
  const deadline = new SessionDeadline({ params: {} }, clock);
  await clock.advance(1000 * HOUR);
  assert.is(deadline.isOver, false);
});

test.run();
