import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type JobContext, jobChart } from '../../../machines/index.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { createDismissals } from '../../../src/jobs/commands/dismissals.ts';
import { Requests } from '../../../src/jobs/commands/requests.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { JobWatch } from '../../../src/jobs/views/jobWatch.ts';
import { toJobSummary } from '../../../src/jobs/views/list/jobSummary.ts';
import { phase, workflow } from '../../support/charts/jobSteps.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('job: what needs a person, and dismissals');

const ID = 'a';
const FENCE = { visit: 1, session: 1 };

/** A job at work, and what its list and its watchers show of it. */
async function atWork() {
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
  const stateOf = () => kernel.state(ID) as ActorState<JobContext>;
  const summary = (): JobSummary => {
    const listed = store.jobs.one(ID);
    if (!listed) throw new Error('it is not in the list');
    return toJobSummary(listed);
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
  const dismissals = createDismissals({
    kernel,
    rows: store.rows,
    requests: new Requests(
      store.rows,
      async () => {},
      () => clock.now(),
    ),
    now: () => clock.now(),
    stateOf,
    summary,
    changed: (ids) => watch.changed(ids),
  });
  const refusal = (act: 'dismiss' | 'undismiss') =>
    dismissals[act](ID, { by: 'open' }).then(
      () => 'taken',
      (error: Error) => error.message,
    );
  return { store, clock, kernel, summary, seen, send, fails, dismissals, refusal };
}

test('the row of the list follows the job in the commits of its steps (HTTP-2)', async () => {
  const { store, clock, summary, send, fails, kernel } = await atWork();
  const row = () => store.rows.one('job_list', { job_id: ID });
  assert.is(row()?.state, 'working');
  assert.is(row()?.title, 'fix the cafe');
  assert.match(row()?.text ?? '', /fix the cafe\nand more\nshop\ncoding/);
  clock.advance(60_000);
  await send({ type: 'job.pause' });
  await send({ ...FENCE, ...fails, stopReason: 'cancelled', error: null });
  assert.is(row()?.state, 'waiting');
  assert.is(row()?.ask, null);
  assert.is(summary().needs, null);
  assert.is(summary().since, summary().parked?.since);
  await kernel.stop(0);
});

test('a failed job needs a person until it is dismissed; that can be undone, and its watchers hear of both (JOB-9)', async () => {
  const { summary, seen, send, fails, dismissals, store, kernel } = await atWork();
  await send({ ...FENCE, ...fails });
  assert.is(summary().status, 'failed');
  assert.is(summary().needs?.group, 'broken');
  assert.is(summary().needs?.ask, 'failed');
  assert.match(summary().reason ?? '', /It broke/);
  assert.is((await dismissals.dismiss(ID, { by: 'login' })).needs, null);
  assert.is(seen.at(-1)?.needs, null);
  assert.is(store.jobs.total({ needs: 'me' }), 0);
  assert.is((await dismissals.undismiss(ID, { by: 'open' })).needs?.ask, 'failed');
  assert.is(seen.at(-1)?.needs?.ask, 'failed');
  const lines = store.durable.frames(ID, 0, 100).map(({ data }) => data['line']);
  assert.ok(lines.includes('Dismissed (login).'));
  await kernel.stop(0);
});

test('a dismissed job that runs again and fails again needs a person again', async () => {
  const { summary, send, fails, dismissals, kernel } = await atWork();
  await send({ ...FENCE, ...fails });
  await dismissals.dismiss(ID, { by: 'open' });
  await send({ type: 'job.resume', eventKey: 'manual-resume' });
  assert.is(summary().needs, null);
  await send({ type: 'job.cancel', reason: null });
  assert.is(summary().needs, null);
  await kernel.stop(0);
});

test('a job that is at work, or waits for a decision, cannot be dismissed', async () => {
  const { refusal, kernel } = await atWork();
  assert.is(
    await refusal('dismiss'),
    'a has not failed or escalated and has left no pull request open, so nothing can be dismissed.',
  );
  await kernel.stop(0);
});

test('a dismissal that is sent twice with one key happens once', async () => {
  const { send, fails, dismissals, store, kernel } = await atWork();
  await send({ ...FENCE, ...fails });
  const request = { key: 'once', bodyHash: 'h' };
  await dismissals.dismiss(ID, { by: 'open', requestKey: request });
  const frames = store.durable.frames(ID, 0, 100).length;
  await dismissals.dismiss(ID, { by: 'open', requestKey: request });
  assert.is(store.durable.frames(ID, 0, 100).length, frames);
  await kernel.stop(0);
});

test.run();
