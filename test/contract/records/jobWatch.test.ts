import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart } from '../../../machines/index.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { toJobSummary } from '../../../src/jobs/views/list/jobSummary.ts';
import { JobWatch } from '../../../src/jobs/views/jobWatch.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { phase, workflow } from '../../support/charts/jobSteps.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('runner: watching the list of jobs');

const input = (id: string) => ({
  id,
  type: 'job',
  tenantId: 'solo-test',
  workflowPath: 'workflows/job.md',
  workflow: workflow([phase('coding')]),
  params: { description: `the job ${id}` },
  interactive: true,
  limits: { gateBlocks: 5, sessionsPerVisit: 10 },
  createdAt: 0,
});

/** A kernel with a watch over its jobs; `reads` counts the rows that the watch has read. */
async function openWatchedJob() {
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
  let reads = 0;
  const summary = (id: string) => {
    reads += 1;
    const job = store.jobs.findJob(id);
    if (!job) throw new Error(`there is no ${id}`);
    return toJobSummary(job);
  };
  const watch = new JobWatch({ rows: store.rows, summary });
  kernel.onCommit((notice) => watch.onCommit(notice));
  const starts = (...ids: string[]) =>
    ids.map((id) => ({ chart: jobChart.id, id, input: input(id) }));
  return { kernel, watch, starts, reads: () => reads };
}

test('a commit tells every watcher which jobs it has changed, each once, as it is in the end (HTTP-3)', async () => {
  const { kernel, watch, starts, reads } = await openWatchedJob();
  const updates: string[][] = [[], []];
  for (const list of updates)
    watch.watch((jobs) =>
      list.push(...jobs.map(({ id, status, description }) => `${id} ${status}: ${description}`)),
    );
  await kernel.submit({
    starts: starts('a', 'b'),
    sends: [{ to: 'a', event: { type: 'slot.granted' } }],
  });
  await kernel.awaitFlushed();
  assert.equal(updates[0], ['a coding: the job a', 'b queued: the job b']);
  assert.equal(updates[1], updates[0]);
  assert.equal(reads(), 2);
  await kernel.stop(0);
});

test('a watcher that has left gets nothing, and without watchers nothing is read', async () => {
  const { kernel, watch, starts, reads } = await openWatchedJob();
  let calls = 0;
  const leave = watch.watch(() => {
    calls += 1;
  });
  leave();
  await kernel.submit({ starts: starts('a') });
  await kernel.awaitFlushed();
  assert.equal(calls, 0);
  assert.equal(reads(), 0);
  await kernel.stop(0);
});

test.run();
