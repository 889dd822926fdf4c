import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RowChange } from '../../src/records/changes.ts';
import { createKernel } from '../../src/durable/kernel.ts';
import { jobChart } from '../../machines/index.ts';
import { createInsights } from '../../src/views/insights.ts';
import { phase, workflow } from '../support/charts/jobSteps.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { memoryStore } from '../support/memoryStore.ts';

const test = suite('views: insights of all jobs');

const insight = (
  job: string,
  id: string,
  at: number,
  text: string,
  category: string,
): RowChange => ({
  op: 'put',
  table: 'insights',
  row: { job_id: job, id, at, phase: 'coding', category, text },
});

async function stage() {
  const store = memoryStore();
  const kernel = createKernel({
    store: store.durable,
    charts: [jobChart],
    ports: {
      'phase.prepare': async () => {},
      'session.open': async () => {},
      'session.stop': async () => {},
    },
    clock: new SimulatedClock(),
  });
  await kernel.start();
  for (const [id, repoSlug] of [
    ['job-1', 'shop'],
    ['job-2', 'blog'],
  ] as const) {
    const input = {
      id,
      type: 'job',
      tenantId: 'solo-test',
      workflowPath: 'workflows/job.md',
      workflow: workflow([phase('coding')]),
      params: { repoSlug },
      interactive: true,
      limits: { gateBlocks: 5, sessionsPerVisit: 1 },
      createdAt: 1,
    };
    await kernel.submit({ starts: [{ chart: jobChart.id, id, input }] });
  }
  await kernel.submit({
    rows: [
      insight('job-1', 'a', 10, 'Run the E2E tests with a database.', 'testing'),
      insight('job-1', 'b', 20, 'api.yaml lacks 50% of the fields.', 'contract-drift'),
      insight('job-2', 'c', 30, 'The tests need Docker.', 'testing'),
    ],
  });
  return createInsights(store.insights);
}

const { searchInsights } = await stage();
const idsOf = (query: Parameters<typeof searchInsights>[0]) =>
  searchInsights(query).insights.map(({ id }) => id);

test('they are the newest first, each with its job, repository and workflow', () => {
  assert.equal(idsOf({}), ['c', 'b', 'a']);
  const [{ jobId, repo, workflow: path, at } = {} as never] = searchInsights({}).insights;
  assert.equal(
    [jobId, repo, path, at],
    ['job-2', 'blog', 'workflows/job.md', '1970-01-01T00:00:00.030Z'],
  );
});

test('a search finds those in which every word occurs, in any case', () => {
  assert.equal(idsOf({ q: 'TESTS e2e' }), ['a']);
  assert.equal(idsOf({ q: 'tests' }), ['c', 'a']);
});

test('what stands for any text in SQL is taken as it is', () => {
  assert.equal(idsOf({ q: '50%' }), ['b']);
  assert.equal(idsOf({ q: '%' }), ['b']);
});

test('job, repository and category narrow it', () => {
  assert.equal(idsOf({ job: 'job-1' }), ['b', 'a']);
  assert.equal(idsOf({ repo: 'blog' }), ['c']);
  assert.equal(idsOf({ category: 'contract-drift' }), ['b']);
});

test('a page has the number of all', () => {
  const { insights, total } = searchInsights({ limit: 1, offset: 1 });
  assert.equal([insights.map(({ id }) => id), total], [['b'], 3]);
});

test.run();
