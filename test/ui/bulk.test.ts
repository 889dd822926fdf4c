import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../src/api/client/client.ts';
import { describeBulkCancel, canRunBulkAction, runBulk } from '../../ui/jobs/list/bulkActions.ts';
import { readAllJobs, toJobsCsv } from '../../ui/jobs/list/exportJobs.ts';
import { parked, summary } from '../support/summaries.ts';

const test = suite('dashboard: many jobs together');

const createFailedJob = (id: string) =>
  summary(id, {
    ended: true,
    status: 'failed',
    needs: { group: 'broken', ask: 'failed', since: '2026-01-01T00:00:00.000Z' },
  });

test('a command is offered for the jobs that it can be meant for; plans are not approved together', () => {
  const jobs = [
    summary('works'),
    summary('plan', { parked: parked('approval') }),
    summary('paused', { parked: parked('paused') }),
    createFailedJob('failed'),
    { ...createFailedJob('dismissed'), needs: null },
    summary('done', { ended: true, status: 'complete' }),
  ];
  const listOfferedJobs = (action: Parameters<typeof canRunBulkAction>[0]) =>
    jobs.filter((job) => canRunBulkAction(action, job)).map(({ id }) => id);
  assert.equal(listOfferedJobs('resume'), ['paused', 'failed', 'dismissed']);
  assert.equal(listOfferedJobs('cancel'), ['works', 'plan', 'paused']);
  assert.equal(listOfferedJobs('dismiss'), ['failed']);
  assert.equal(listOfferedJobs('undismiss'), ['dismissed']);
  assert.equal(listOfferedJobs('rerun'), ['failed', 'dismissed', 'done']);
});

test('each job gets a request of its own, at most four together; one refusal stops no other', async () => {
  let running = 0;
  let most = 0;
  const client = createClient({
    baseUrl: 'http://runner.invalid',
    async fetch(address) {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (String(address).includes('/job-3/')) throw new Error('It has ended.');
      return Response.json({});
    },
  });
  const jobs = Array.from({ length: 20 }, (_, n) => summary(`job-${n}`));
  const progress: number[] = [];
  const { done, refused } = await runBulk(client, 'cancel', jobs, (n) => progress.push(n));
  assert.is(done.length, 19);
  assert.equal(
    refused.map(({ job }) => job.id),
    ['job-3'],
  );
  assert.is(most, 4);
  assert.is(progress.at(-1), 20);
});

test('cancelling many is confirmed with what happens to them', () => {
  const jobs = [
    summary('a'),
    summary('b'),
    summary('c', { parked: parked('approval') }),
    summary('d', { status: 'queued' }),
  ];
  assert.equal(describeBulkCancel(jobs), [
    '2 are running: their agents are stopped.',
    '1 waits.',
    '1 has not started.',
    'Checkouts, branches, pull requests, artefacts and logs are kept. A cancelled job cannot be resumed.',
  ]);
});

test('a CSV quotes what must be quoted, and holds no formula of an agent', () => {
  const text = toJobsCsv([
    summary('a', { description: '=HYPERLINK("http://evil")\nmore', reason: 'one, "two"\nthree' }),
  ]);
  const [head, ...rest] = text.split('\r\n');
  assert.match(head ?? '', /^id,title,status,needs,reason,/);
  assert.is(
    rest.join('\r\n'),
    `a,"'=HYPERLINK(""http://evil"")",coding,,"one, ""two""\nthree",coding,shop,workflows/job.md,,,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z\r\n`,
  );
});

test('an export has every job that matches, each once', async () => {
  const all = Array.from({ length: 450 }, (_, n) => summary(`job-${n}`));
  const offsets: number[] = [];
  const client = {
    async jobs({ limit = 0, offset = 0 } = {}) {
      offsets.push(offset);
      // One more was created meanwhile: everything has moved by one place.
      const moved = offset === 0 ? all : [summary('new'), ...all];
      return { jobs: moved.slice(offset, offset + limit), total: moved.length };
    },
  };
  const read = await readAllJobs(client, { is: 'failed' }, () => {});
  assert.is(read.length, 450);
  assert.equal(offsets, [0, 200, 400]);
});

test.run();
