import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_ENTRY_ROWS_BYTES, MAX_HEAD_BYTES } from '../../../../src/contract/channel/limits.ts';
import type { JobSummary } from '../../../../src/contract/schema/job/job.ts';
import { readEntryRows } from '../../../../src/host/start/homes/readEntryRows.ts';
import { toRow } from '../../../support/cloud/doubleRunner.ts';

const test = suite('rows of the list for an entry');

const aJob = (id: string, description = 'A job'): JobSummary => ({
  ...toRow(id),
  status: 'working',
  description,
});
const change = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `job-${n}`, chart: 'job' }));

const read = (count: number, readJobs: (id: string) => JobSummary, isReady = true) => {
  const warnings: unknown[] = [];
  const rows = readEntryRows(
    change(count),
    (actors) => (isReady ? actors.map(({ id }) => readJobs(id)) : null),
    { warn: (facts) => void warnings.push(facts) },
  );
  return { rows, warnings };
};

test('they are those of the jobs that it has changed, without their last lines', () => {
  const { rows } = read(2, (id) => ({
    ...aJob(id),
    lastLine: { at: '2026-11-01T00:00:00.000Z', line: 'x' },
  }));
  assert.equal(rows, [aJob('job-0'), aJob('job-1')]);
});

test('where they do not fit into the head of its frame, it has none', () => {
  const fits = Math.floor(MAX_ENTRY_ROWS_BYTES / 2_600);
  const long = (id: string) => aJob(id, 'x'.repeat(10_000));
  assert.is(read(fits, long).rows?.length, fits);
  assert.ok(JSON.stringify(read(fits, long).rows).length < MAX_HEAD_BYTES);
  assert.is(read(fits + 5, long).rows, null);
});

test('where it has changed very many actors, it has none', () => {
  assert.is(read(101, (id) => aJob(id)).rows, null);
});

test('before the runner can read its jobs, it has none', () => {
  assert.is(read(1, (id) => aJob(id), false).rows, null);
});

test('a job that cannot be read keeps no entry back', () => {
  const { rows, warnings } = read(1, () => {
    throw new Error('broken');
  });
  assert.is(rows, null);
  assert.is(warnings.length, 1);
});

test.run();
