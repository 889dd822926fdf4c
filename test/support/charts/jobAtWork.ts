import { type JobContext, jobChart } from '../../../machines/index.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { Requests } from '../../../src/jobs/commands/requests.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { JobWatch } from '../../../src/jobs/views/jobWatch.ts';
import { toJobSummary } from '../../../src/jobs/views/list/jobSummary.ts';
import { phase, workflow } from './jobSteps.ts';
import { SimulatedClock } from './simulatedClock.ts';

export const ID = 'a';
export const FENCE = { visit: 1, session: 1 };

/** A job at work, and what its list and its watchers show of it. */
export async function openJobAtWork() {
  const clock = new SimulatedClock();
  const store = openStore({ file: ':memory:', pid: 1, now: clock.now() });
  const silent = async () => {};
  const ports = { 'phase.prepare': silent, 'session.open': silent, 'session.stop': silent };
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
    params: { description: 'Fix the Café\nand more', repoSlug: 'shop' },
    interactive: true,
    limits: { gateBlocks: 5, sessionsPerVisit: 10 },
    createdAt: 0,
  };
  const readState = () => kernel.state(ID) as ActorState<JobContext>;
  const summary = (): JobSummary => {
    const job = store.jobs.findJob(ID);
    if (!job) throw new Error('it is not in the list');
    return toJobSummary(job);
  };
  const watch = new JobWatch({ rows: store.rows, summary });
  const seen: JobSummary[] = [];
  watch.watch((jobs) => seen.push(...jobs));
  kernel.onCommit((notice) => watch.onCommit(notice));
  const send = async (...events: { type: string; [key: string]: unknown }[]) => {
    for (const event of events) await kernel.send(ID, event);
  };
  await kernel.submit({ starts: [{ chart: jobChart.id, id: ID, input }] });
  const prepared = { type: 'phase.prepared', visit: 1, workflow: table, overlayHash: 'h' };
  await send({ type: 'slot.granted' }, { ...prepared, checkout: null });
  const fails = { type: 'session.ended', stopReason: 'error', error: 'It broke.', usage: null };
  const deps = {
    kernel,
    rows: store.rows,
    requests: new Requests(
      store.rows,
      async () => {},
      () => clock.now(),
    ),
    clock,
    now: () => clock.now(),
    readState,
    summary,
    notifyChanged: (ids: readonly string[]) => watch.notifyChanged(ids),
  };
  return { store, clock, kernel, summary, seen, send, fails, deps };
}
