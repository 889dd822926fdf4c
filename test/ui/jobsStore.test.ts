import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createJobsStore, MAX_KNOWN } from '../../ui/jobs/list/jobsStore.ts';
import { summary } from '../support/summaries.ts';

const test = suite('dashboard: what is known of all jobs');

const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
const change = (store: ReturnType<typeof createJobsStore>, ...jobs: ReturnType<typeof summary>[]) =>
  store.trigger.changed({ jobs });

test('a job that did not change is not drawn again: it is the same object', () => {
  const store = createJobsStore();
  const job = summary('a');
  store.trigger.shown({ jobs: [job] });
  store.trigger.shown({ jobs: [structuredClone(job)] });
  assert.is(store.getSnapshot().context.known.get('a'), job);
  change(store, { ...job, status: 'complete', updatedAt: at(5) });
  assert.is(store.getSnapshot().context.known.get('a')?.status, 'complete');
});

test('a change that is older than what is known is ignored: list and stream may overtake each other', () => {
  const store = createJobsStore();
  change(store, summary('a', { status: 'complete', updatedAt: at(5) }));
  store.trigger.shown({ jobs: [summary('a', { status: 'coding', updatedAt: at(4) })] });
  assert.is(store.getSnapshot().context.known.get('a')?.status, 'complete');
});

test('the jobs that are remembered are bounded: the ones that were seen longest ago go', () => {
  const store = createJobsStore();
  const jobs = Array.from({ length: MAX_KNOWN + 5 }, (_, n) => summary(`job-${n}`));
  store.trigger.shown({ jobs });
  const { known } = store.getSnapshot().context;
  assert.is(known.size, MAX_KNOWN);
  assert.is(known.has('job-4'), false);
  assert.is(known.has('job-5'), true);
});

test('a problem is shown until something is read again', () => {
  const store = createJobsStore();
  store.trigger.unreadable({ problem: 'no' });
  assert.is(store.getSnapshot().context.problem, 'no');
  const is = { queued: 0, working: 0, waiting: 0, failed: 0, partial: 0, complete: 0 };
  store.trigger.counted({
    counts: {
      total: 0,
      needs: { me: 0, decide: 0, review: 0, broken: 0, snoozed: 0, proposals: 0 },
      failures: { failed: 0, subRuns: 0, escalated: 0 },
      is: { 'needs-you': 0, cancelled: 0, ...is },
      repos: [],
      workflows: [],
    },
  });
  assert.is(store.getSnapshot().context.problem, null);
});

test.run();
