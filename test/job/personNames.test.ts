import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chartEventOf } from '../../src/job/personNames.ts';

const test = suite('runner: events as people name them');

test('what-if takes the names of commands, and fills in what a guard reads', () => {
  assert.equal(chartEventOf({ type: 'cancel' }), { type: 'job.cancel', reason: null });
  assert.equal(chartEventOf({ type: 'job.cancel', reason: 'late' }), {
    type: 'job.cancel',
    reason: 'late',
  });
  assert.equal(chartEventOf({ type: 'resume', eventKey: 'reject' }), {
    type: 'job.resume',
    eventKey: 'reject',
  });
  assert.equal(chartEventOf({ type: 'pause' }), { type: 'job.pause' });
});

test('every other event is asked about as it is', () => {
  for (const event of [
    { type: 'slot.granted' },
    { type: 'forge.event', event: {} },
    { type: 'constructor' },
  ]) {
    assert.equal(chartEventOf(event), event);
  }
});

test.run();
