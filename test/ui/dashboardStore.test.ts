import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDashboardStore, type LogLine, MAX_LOG_LINES } from '../../ui/logic/dashboardStore.ts';

const test = suite('dashboard: what the page shows');

const line = (n: number): LogLine => ({
  n,
  at: '2026-01-01T00:00:00Z',
  phase: 'coding',
  visit: 1,
  from: 'agent',
  tag: null,
  line: `line ${n}`,
});

test('lines of the job that was left are not shown with the next one', () => {
  const store = createDashboardStore();
  store.trigger.opened({ jobId: 'a' });
  store.trigger.logged({ jobId: 'a', lines: [line(1)] });
  store.trigger.opened({ jobId: 'b' });
  store.trigger.logged({ jobId: 'a', lines: [line(2)] });
  store.trigger.logged({ jobId: 'b', lines: [line(3)] });
  assert.equal(store.getSnapshot().context.log, [line(3)]);
});

test('a long log keeps its newest lines and no more', () => {
  const store = createDashboardStore();
  store.trigger.opened({ jobId: 'a' });
  store.trigger.logged({ jobId: 'a', lines: Array.from({ length: MAX_LOG_LINES + 5 }, (_, index) => line(index)) });
  const { log } = store.getSnapshot().context;
  assert.equal([log.length, log[0]?.n, log.at(-1)?.n], [MAX_LOG_LINES, 5, MAX_LOG_LINES + 4]);
});

test('a problem is shown until something works again, and the list stays', () => {
  const store = createDashboardStore();
  store.trigger.listed({ jobs: [], total: 0 });
  store.trigger.failed({ problem: 'No runner answers.' });
  assert.equal([store.getSnapshot().context.problem, store.getSnapshot().context.loaded], ['No runner answers.', true]);
  store.trigger.listed({ jobs: [], total: 0 });
  assert.is(store.getSnapshot().context.problem, null);
});

test.run();
