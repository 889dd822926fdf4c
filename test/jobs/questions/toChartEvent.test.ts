import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toChartEvent } from '../../../src/jobs/questions/questions.ts';

const test = suite('runner: events as people name them');

test('what-if takes the names of commands, and fills in what a guard reads', () => {
  assert.equal(toChartEvent({ type: 'cancel' }), { type: 'job.cancel', reason: null });
  assert.equal(toChartEvent({ type: 'job.cancel', reason: 'late' }), {
    type: 'job.cancel',
    reason: 'late',
  });
  assert.equal(toChartEvent({ type: 'resume', eventKey: 'reject' }), {
    type: 'job.resume',
    eventKey: 'reject',
  });
  assert.equal(toChartEvent({ type: 'pause' }), { type: 'job.pause' });
});

test('every other event is asked about as it is', () => {
  for (const event of [
    { type: 'slot.granted' },
    { type: 'forge.event', event: {} },
    { type: 'constructor' },
  ]) {
    assert.equal(toChartEvent(event), event);
  }
});

test.run();
