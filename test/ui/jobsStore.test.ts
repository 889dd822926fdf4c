import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createJobsStore } from '../../ui/jobs/list/jobsStore.ts';
import { summary } from '../support/summaries.ts';

const test = suite('dashboard: the list of jobs');

const idsOf = (store: ReturnType<typeof createJobsStore>) =>
  store.getSnapshot().context.jobs.map(({ id }) => id);
const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;

test('the newest job comes first, and a job that did not change is not drawn again: it is the same object', () => {
  const store = createJobsStore();
  store.trigger.listed({
    jobs: [summary('b', { createdAt: at(2) }), summary('a', { createdAt: at(1) })],
    total: 2,
  });
  const [b, a] = store.getSnapshot().context.jobs;
  store.trigger.listed({
    jobs: [
      summary('a', { createdAt: at(1), status: 'coding', updatedAt: at(3) }),
      structuredClone(b ?? summary('b')),
    ],
    total: 2,
  });
  const now = store.getSnapshot().context.jobs;
  assert.is(now[0], b);
  assert.equal(now[1]?.status, 'coding');
  assert.equal(now[1] === a, false);
});

test('a change that is older than what is known is ignored: list and stream may overtake each other', () => {
  const store = createJobsStore();
  store.trigger.changed({ jobs: [summary('a', { status: 'complete', updatedAt: at(5) })] });
  store.trigger.listed({ jobs: [summary('a', { status: 'coding', updatedAt: at(4) })], total: 1 });
  assert.is(store.getSnapshot().context.jobs[0]?.status, 'complete');
});

test('a job that was created while the list was being read stays, and is counted', () => {
  const store = createJobsStore();
  store.trigger.changed({ jobs: [summary('new', { createdAt: at(9) })] });
  store.trigger.listed({ jobs: [summary('old', { createdAt: at(1) })], total: 1 });
  assert.equal(idsOf(store), ['new', 'old']);
  assert.equal(store.getSnapshot().context.total, 2);
});

test('a problem is shown until the list is read again, and the jobs stay', () => {
  const store = createJobsStore();
  store.trigger.listed({ jobs: [summary('a')], total: 1 });
  store.trigger.unreadable({ problem: 'no' });
  assert.equal(store.getSnapshot().context.problem, 'no');
  assert.equal(idsOf(store), ['a']);
  store.trigger.listed({ jobs: [summary('a')], total: 1 });
  assert.is(store.getSnapshot().context.problem, null);
});

test.run();
