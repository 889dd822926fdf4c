import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatCommandReply } from '../../cli/render/job/formatCommandReply.ts';
import { formatJobStatus } from '../../cli/render/job/formatJobStatus.ts';
import { explainDiskWait } from '../../src/base/limits/findLowDisk.ts';

const test = suite('command line: a job that cannot be read');

const row = (table: string) => [{ table, id: 'job-1', reason: 'chart is "jub"' }];
const QUEUED = { status: 'queued', parked: null };

test('its status is broken, with the last one that is known', () => {
  assert.is(formatJobStatus({ ...QUEUED, broken: row('actors') }), 'broken (last known: queued)');
});

test('a job of which only an insight cannot be read has its own status', () => {
  assert.is(formatJobStatus({ ...QUEUED, broken: row('insights') }), 'queued');
});

test('why it cannot be read is not why queued jobs wait', () => {
  const job = { ended: false, parked: null, reason: 'This job cannot be read.' };
  assert.is(explainDiskWait({ ...job, broken: row('actors') }), null);
  assert.is(explainDiskWait(job), 'This job cannot be read.');
});

test('a job that was paused while it waited reports it beside what it waits for', () => {
  const reply = { jobId: 'job-1', status: 'awaiting-pr-merge', phase: 'coding', seq: 1 };
  assert.is(
    formatCommandReply({ ...reply, state: ['parked.paused'] }),
    'job-1: awaiting-pr-merge, paused (phase coding)\n',
  );
  assert.is(
    formatCommandReply({ ...reply, state: ['parked.event'] }),
    'job-1: awaiting-pr-merge (phase coding)\n',
  );
});

test.run();
