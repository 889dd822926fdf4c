import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseStatus, statusName } from '../../../../machines/job/rules/statusName.ts';
import { item } from '../../../support/charts/jobSteps.ts';

const test = suite('public status');

const coding = { visit: 2, status: 'coding', workItems: [item('wi-1', 'in-progress')] };

test('names the state, the phase and the work item (JOB-2)', () => {
  assert.equal(statusName('queued', { visit: 0, status: 'planning', workItems: [] }), 'queued');
  assert.equal(
    statusName({ parked: 'paused' }, { visit: 0, status: 'planning', workItems: [] }),
    'queued',
  );
  assert.equal(statusName('queued', coding), 'coding:wi-1');
  assert.equal(
    statusName({ working: 'inSession' }, { ...coding, workItems: [item('wi-1')] }),
    'coding',
  );
  assert.equal(
    statusName({ parked: 'event' }, { ...coding, status: 'awaiting-pr-merge' }),
    'awaiting-pr-merge:wi-1',
  );
  assert.equal(statusName({ ended: 'complete' }, coding), 'complete');
  assert.equal(statusName({ ended: 'failed' }, coding), 'failed');
  assert.equal(statusName({ ended: 'escalated' }, coding), 'escalated');
  assert.equal(
    statusName({ ended: 'cancelled' }, { visit: 0, status: 'planning', workItems: [] }),
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
