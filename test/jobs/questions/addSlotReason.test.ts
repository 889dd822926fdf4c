import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Why } from '../../../src/kernel/questions.ts';
import { addSlotReason } from '../../../src/jobs/questions/addSlotReason.ts';

const test = suite('what keeps a job in the queue');

const QUEUED: Why = {
  id: 'job-1',
  state: ['queued'],
  since: 0,
  waitsFor: ['for a free slot'],
  waysOut: [],
  pendingEffects: [],
  timers: [],
};
const slots = (used: number) => ({ use: () => ({ used, limit: 2 }) });

test('jobs that have all slots, with the setting', () => {
  assert.equal(addSlotReason(QUEUED, slots(2), null).waitsFor, [
    'for a free slot',
    '2 of 2 slots are in use (runner.maxConcurrentJobs)',
  ]);
});

test('a shared budget, where a slot is free', () => {
  const { waitsFor } = addSlotReason(QUEUED, slots(1), null);
  assert.is(waitsFor.length, 1);
  assert.match(waitsFor[0] ?? '', 'reserved by sessions at work');
});

test('low disk before all others', () => {
  assert.equal(addSlotReason(QUEUED, slots(1), 'the disk is full').waitsFor, ['the disk is full']);
});

test('nothing of a job that works', () => {
  const working = { ...QUEUED, state: ['working.inSession'] };
  assert.is(addSlotReason(working, slots(2), null), working);
});

test.run();
