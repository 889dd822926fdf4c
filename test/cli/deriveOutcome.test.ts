import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveOutcome } from '../../cli/deriveOutcome.ts';

const test = suite('how a wait for a job ends (CLI-6)');

const parked = (kind: string, until?: string) =>
  deriveOutcome({
    status: 'planning',
    ended: false,
    parked: { kind, ...(until === undefined ? {} : { until }) },
  });

test('a job that waits for a person ends the wait', () => {
  assert.is(parked('developer'), 'waiting');
});

test('a wait for a review or a merge ends it as svc run ends, and one for sub-runs does not', () => {
  assert.is(parked('event'), 'waiting');
  assert.is(parked('subRuns'), null);
});

test('a budget that only a person can raise ends the wait', () => {
  assert.is(parked('budget'), 'waiting');
});

test('the budget of a day does not: the next day continues the job', () => {
  assert.is(parked('budget', '2026-11-23T00:00:00.000Z'), null);
});

test('a limit of an account does not', () => {
  assert.is(parked('quota', '2026-11-23T00:00:00.000Z'), null);
});

test.run();
