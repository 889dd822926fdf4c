import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart, type JobContext } from '../../../machines/index.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { JobViews } from '../../../src/jobs/views/jobViews.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { phase, workflow } from '../../support/charts/jobSteps.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('runner: job views');

const ID = 'shop-job-1';
const fence = { visit: 1, session: 1 };
const insight = (id: string) => ({
  type: 'tool.add_insight',
  id,
  category: 'pitfall',
  text: `insight ${id}`,
  ...fence,
});

type CheckoutAt = NonNullable<ConstructorParameters<typeof JobViews>[0]['checkoutAt']>;

/** A job whose agent runs. */
async function openRunningJob(params: Record<string, unknown> = {}, checkoutAt?: CheckoutAt) {
  const clock = new SimulatedClock();
  const store = openStore({ file: ':memory:', pid: 1, now: clock.now() });
  const silent = async () => {};
  const ports = {
    'phase.prepare': silent,
    'session.open': silent,
    'session.stop': silent,
    'message.offer': silent,
    'forge.write': silent,
  };
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [jobChart],
    ports,
    clock,
  });
  await kernel.start();
  const table = workflow([phase('coding')]);
  const input = {
    id: ID,
    type: 'job',
    tenantId: 'solo-test',
    workflowPath: 'workflows/job.md',
    workflow: table,
    params,
    interactive: true,
    limits: { gateBlocks: 5, sessionsPerVisit: 10 },
    createdAt: clock.now(),
  };
  await kernel.submit({
    starts: [{ chart: jobChart.id, id: ID, input }],
    sends: [
      { to: ID, event: { type: 'slot.granted' } },
      {
        to: ID,
        event: {
          type: 'phase.prepared',
          visit: 1,
          workflow: table,
          overlayHash: 'h',
          checkout: null,
        },
      },
    ],
  });
  await kernel.awaitFlushed();
  const readListedJob = (id: string) => {
    const job = store.jobs.findJob(id);
    if (!job) throw new Error(`there is no ${id}`);
    return job;
  };
  const views = new JobViews({
    rows: store.rows,
    readListed: readListedJob,
    ...(checkoutAt ? { checkoutAt } : {}),
  });
  const view = () => views.of(kernel.state(ID) as ActorState<JobContext>);
  return { kernel, clock, view };
}

test('a job that nothing happens to is put together once, however often it is asked for', async () => {
  const { view } = await openRunningJob();
  const first = view();
  assert.equal(first.id, ID);
  assert.equal(first.status, 'coding');
  assert.equal(first.state, ['working.inSession']);
  assert.is(view(), first);
});

test('the checkout is where its name says, and never where the job has recorded it', async () => {
  const at: CheckoutAt = (id, dir) => (dir === 'shop' ? `/home/work/${id}/shop` : null);
  const recorded = { repoCheckoutAbsDir: '/etc' };
  const readParams = async (params: object) =>
    (await openRunningJob({ ...recorded, ...params }, at)).view().params;
  assert.equal(await readParams({ repoCheckoutDir: 'shop' }), {
    repoCheckoutDir: 'shop',
    repoCheckoutAbsDir: `/home/work/${ID}/shop`,
  });
  assert.equal(await readParams({ repoCheckoutDir: '../..' }), { repoCheckoutDir: '../..' });
  assert.equal(await readParams({}), {});
});

test('rows that a step has written are in the next view', async () => {
  const { kernel, view } = await openRunningJob();
  assert.equal(view().insights, []);
  await kernel.send(ID, insight('one'));
  assert.equal(
    view().insights.map(({ id }) => id),
    ['one'],
  );
  await kernel.send(ID, insight('two'));
  assert.equal(
    view().insights.map(({ id }) => id),
    ['one', 'two'],
  );
});

test('a line of the log, which steps nothing, moves the time of the last change', async () => {
  const { kernel, clock, view } = await openRunningJob();
  const before = view();
  clock.advance(1_000);
  await kernel.submit({ frames: [{ actor: ID, frame: { kind: 'log', data: { line: 'hello' } } }] });
  assert.is(Date.parse(view().updatedAt) - Date.parse(before.updatedAt), 1_000);
});

test('a refused event changes nothing', async () => {
  const { kernel, view } = await openRunningJob();
  const before = view();
  const { accepted } = await kernel.send(ID, { type: 'job.resume', eventKey: 'approve' });
  assert.is(accepted, false);
  assert.is(view(), before);
});

test.run();
