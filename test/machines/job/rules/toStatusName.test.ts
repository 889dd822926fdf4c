import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseStatus, toStatusName } from '../../../../machines/job/rules/toStatusName.ts';
import { item } from '../../../support/charts/jobSteps.ts';

const test = suite('public status');

const coding = { visit: 2, status: 'coding', workItems: [item('wi-1', 'in-progress')] };

test('names the state, the phase and the work item (JOB-2)', () => {
  assert.equal(toStatusName('queued', { visit: 0, status: 'planning', workItems: [] }), 'queued');
  assert.equal(
    toStatusName({ parked: 'paused' }, { visit: 0, status: 'planning', workItems: [] }),
    'queued',
  );
  assert.equal(toStatusName('queued', coding), 'coding:wi-1');
  assert.equal(
    toStatusName({ working: 'inSession' }, { ...coding, workItems: [item('wi-1')] }),
    'coding',
  );
  assert.equal(
    toStatusName({ parked: 'event' }, { ...coding, status: 'awaiting-pr-merge' }),
    'awaiting-pr-merge:wi-1',
  );
  assert.equal(toStatusName({ ended: 'complete' }, coding), 'complete');
  assert.equal(toStatusName({ ended: 'failed' }, coding), 'failed');
  assert.equal(toStatusName({ ended: 'escalated' }, coding), 'escalated');
  assert.equal(
    toStatusName({ ended: 'cancelled' }, { visit: 0, status: 'planning', workItems: [] }),
    'cancelled',
  );
});

test('is taken apart again, and legacy names become the ones of today (JOB-2)', () => {
  assert.equal(
    ['coding', 'coding:wi-1', 'awaiting-children', 'awaiting-children:a.b'].map(parseStatus),
    [
      { status: 'coding', workItem: null },
      { status: 'coding', workItem: 'wi-1' },
      { status: 'awaiting-sub-runs', workItem: null },
      { status: 'awaiting-sub-runs', workItem: 'a.b' },
    ],
  );
});

test.run();
