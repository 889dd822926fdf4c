import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseStatus, statusName } from '../../../../machines/job/rules/statusName.ts';
import { item } from '../../../support/charts/jobSteps.ts';

const test = suite('public status');

const coding = { visit: 2, status: 'coding', workItems: [item('wi-1', 'in-progress')] };

test('names the state, the phase and the work item (JOB-2)', () => {
  assert.equal(
    [
      statusName('queued', { visit: 0, status: 'planning', workItems: [] }),
      statusName({ parked: 'paused' }, { visit: 0, status: 'planning', workItems: [] }),
      statusName('queued', coding),
      statusName({ working: 'inSession' }, { ...coding, workItems: [item('wi-1')] }),
      statusName({ parked: 'event' }, { ...coding, status: 'awaiting-pr-merge' }),
      statusName({ ended: 'complete' }, coding),
      statusName({ ended: 'failed' }, coding),
      statusName({ ended: 'escalated' }, coding),
      statusName({ ended: 'cancelled' }, { visit: 0, status: 'planning', workItems: [] }),
    ],
    [
      'queued',
      'queued',
      'coding:wi-1',
      'coding',
      'awaiting-pr-merge:wi-1',
      'complete',
      'failed',
      'escalated',
      'cancelled',
    ],
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
