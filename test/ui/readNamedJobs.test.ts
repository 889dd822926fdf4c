import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_JOB_IDS } from '../../src/base/limits/jobLimits.ts';
import { createJobsStore } from '../../ui/jobs/list/jobsStore.ts';
import { createNamedJobReader } from '../../ui/jobs/readNamedJobs.ts';

const test = suite('dashboard: jobs that links name');

test('those of a moment are one request, and each is asked for once (UI-1)', async () => {
  const requests: string[] = [];
  const jobs = ({ ids = '' }: { ids?: string } = {}) => {
    requests.push(ids);
    return Promise.resolve({ jobs: [], total: 0 });
  };
  const read = createNamedJobReader({ jobs }, createJobsStore());
  for (const id of ['a', 'b', 'a']) read(id);
  await Promise.resolve();
  read('b');
  read('c');
  await Promise.resolve();
  assert.equal(requests, ['a,b', 'c']);
});

test('more than one query may name are several (UI-1)', async () => {
  const sizes: number[] = [];
  const jobs = ({ ids = '' }: { ids?: string } = {}) => {
    sizes.push(ids.split(',').length);
    return Promise.reject(new Error('away'));
  };
  const read = createNamedJobReader({ jobs }, createJobsStore());
  for (let n = 0; n <= MAX_JOB_IDS; n += 1) read(`job-${n}`);
  await Promise.resolve();
  assert.equal(sizes, [MAX_JOB_IDS, 1]);
});

test.run();
