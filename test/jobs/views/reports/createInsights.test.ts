import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RowChange } from '../../../../src/contract/records/changes.ts';
import { createKernel } from '../../../../src/kernel/kernel.ts';
import { jobChart } from '../../../../machines/index.ts';
import { InsightReader } from '../../../../src/jobs/store/queries/insightReader.ts';
import { createInsights } from '../../../../src/jobs/views/reports/createInsights.ts';
import { listQueryPlans, migrated } from '../../../support/askedStatements.ts';
import { phase, workflow } from '../../../support/charts/jobSteps.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';
import { memoryStore } from '../../../support/memoryStore.ts';

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
    screen: null,
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
  return createInsights(store.insights, 1);
}

const { searchInsights } = await stage();
const searchIds = async (query: Parameters<typeof searchInsights>[0]) =>
  (await searchInsights(query)).insights.map(({ id }) => id);

test('they are the newest first, each with its job, repository and workflow', async () => {
  assert.equal(await searchIds({}), ['c', 'b', 'a']);
  const [{ jobId, repo, workflow: path, at } = {} as never] = (await searchInsights({})).insights;
  assert.equal(
    [jobId, repo, path, at],
    ['job-2', 'blog', 'workflows/job.md', '1970-01-01T00:00:00.030Z'],
  );
});

test('a search finds those in which every word occurs, in any case', async () => {
  assert.equal(await searchIds({ q: 'TESTS e2e' }), ['a']);
  assert.equal(await searchIds({ q: 'tests' }), ['c', 'a']);
});

test('what stands for any text in SQL is taken as it is', async () => {
  assert.equal(await searchIds({ q: '50%' }), ['b']);
  assert.equal(await searchIds({ q: '%' }), ['b']);
});

test('job, repository and category narrow it', async () => {
  assert.equal(await searchIds({ job: 'job-1' }), ['b', 'a']);
  assert.equal(await searchIds({ repo: 'blog' }), ['c']);
  assert.equal(await searchIds({ category: 'contract-drift' }), ['b']);
});

test('a page has the number of all', async () => {
  const { insights, total } = await searchInsights({ limit: 1, offset: 1 });
  assert.equal([insights.map(({ id }) => id), total], [['b'], 3]);
});

test('a page of a search has the number of all that it finds', async () => {
  const { insights, total } = await searchInsights({ q: 'tests', limit: 1, offset: 1 });
  assert.equal([insights.map(({ id }) => id), total], [['a'], 2]);
});

test('a page of all is found along their order, without sorting them', () => {
  const [plan] = listQueryPlans(migrated(), (db) =>
    new InsightReader(db).page({}, { limit: 5, offset: 0 }),
  );
  assert.equal(plan, [
    'SCAN i USING INDEX insights_newest',
    'SEARCH l USING INDEX sqlite_autoindex_job_list_1 (job_id=?)',
  ]);
});

test('a slice of a search reads the insights of its jobs alone', () => {
  const [plan] = listQueryPlans(migrated(), (db) =>
    new InsightReader(db).among({ repo: 'shop' }, { after: 0, last: 5 }, 5),
  );
  assert.equal(
    plan?.filter((line) => /\b[il]\b USING/.test(line)),
    [
      'SEARCH l USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
      'SEARCH i USING PRIMARY KEY (job_id=?)',
    ],
  );
});

test.run();
