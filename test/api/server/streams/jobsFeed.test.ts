import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../../src/api/client/client.ts';
import { watchJobs } from '../../../../src/api/client/watchJobs.ts';
import type { JobSummary } from '../../../../src/contract/schema/job/job.ts';
import { openSurface, type Surface } from '../../../support/http/httpSurface.ts';
import { summary } from '../../../support/summaries.ts';

const test = suite('http stream of the list of jobs');

/** Watches a surface; each promise resolves with the next thing of its kind. */
function watching(surface: Surface) {
  const stop = new AbortController();
  const jobs: JobSummary[] = [];
  const waits: number[] = [];
  let noteOpen = () => {};
  let noteReport = () => {};
  const opens = { next: () => new Promise<void>((resolve) => (noteOpen = resolve)) };
  const tells = { next: () => new Promise<void>((resolve) => (noteReport = resolve)) };
  const isOpen = opens.next();
  const result = watchJobs({
    client: createClient({ baseUrl: surface.url }),
    signal: stop.signal,
    onOpen: () => noteOpen(),
    onJob(job) {
      jobs.push(job);
      noteReport();
    },
    onLost: ({ waitMs }) => void waits.push(waitMs),
    wait: async () => undefined,
  });
  return { jobs, waits, stop, result, isOpen, opens, tells };
}

test('every job that changes is sent in its new state, and nothing after the reader has left (HTTP-3)', async () => {
  await using surface = await openSurface();
  const { jobs, stop, result, isOpen, tells } = watching(surface);
  await isOpen;
  const reported = tells.next();
  const job = summary('a', { description: 'two\nlines' });
  for (const watcher of surface.runner.watchers) watcher([job]);
  await reported;
  assert.equal(jobs, [job]);
  stop.abort();
  await result;
  while (surface.runner.watchers.size > 0) await new Promise(setImmediate);
});

test('a stop of the runner sends bye; the watcher reconnects and reads the list again', async () => {
  await using surface = await openSurface();
  const { waits, stop, result, isOpen, opens } = watching(surface);
  await isOpen;
  const again = opens.next();
  surface.stopStreams();
  await again;
  assert.is(waits[0], 250);
  stop.abort();
  await result;
});

test('the address is no job, and HEAD asks only for the head', async () => {
  await using surface = await openSurface();
  const response = await fetch(`${surface.url}/jobs/stream`, { method: 'HEAD' });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
});

test.run();
