import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type JobContext, jobChart } from '../../machines/index.ts';
import type { ActorState } from '../../src/kernel/chart.ts';
import type { RowChange } from '../../src/contract/records/changes.ts';
import { createKernel } from '../../src/kernel/kernel.ts';
import type { Ports } from '../../src/kernel/port.ts';
import { createCommands } from '../../src/jobs/commands/commands.ts';
import { Requests } from '../../src/jobs/commands/requests.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { WALK_WORKFLOW } from '../support/charts/randomWalk.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';

const test = suite('runner: commands that are repeated');

const JOB = 'shop-job-1';
const ASKER = { by: 'open', requestKey: { key: 'k', bodyHash: 'h' } } as const;

/** Ports that never answer. */
const silent: Ports = Object.fromEntries(
  ['phase.prepare', 'session.open', 'session.stop', 'message.offer', 'forge.write'].map((name) => [
    name,
    () => new Promise<undefined>(() => {}),
  ]),
);

/**
 * A queued job and its commands. The first answers cannot be kept, as if the runner had died right
 * after the command's commit.
 */
const setUp = async () => {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const clock = new SimulatedClock();
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [jobChart],
    ports: silent,
    clock,
    defer: queueMicrotask,
  });
  await kernel.start();
  const input = {
    id: JOB,
    type: 'job',
    tenantId: 'solo-test',
    workflowPath: 'workflows/job.md',
    workflow: WALK_WORKFLOW,
    params: {},
    interactive: true,
    limits: { gateBlocks: 5, sessionsPerVisit: 10 },
    createdAt: 0,
  };
  await kernel.submit({ starts: [{ chart: 'job', id: JOB, input }] });
  let n = 0;
  const commandsWith = (keep: (rows: RowChange[]) => Promise<void>) =>
    createCommands({
      kernel,
      requests: new Requests(store.rows, keep, () => clock.now()),
      ids: { next: () => `id-${++n}`, secret: () => 'secret' },
      readState: (id) => kernel.state(id) as ActorState<JobContext>,
      rows: store.rows,
      readSince: () => 0,
      now: () => clock.now(),
      enforcement: { phases: () => [] },
      budgets: { findProblems: () => [], runChange: (make, write) => write(make()) },
      inbox: (actor, source, externalId) => store.durable.inbox(actor, source, externalId),
    });
  return {
    dying: commandsWith(() => Promise.reject(new Error('killed'))),
    restarted: commandsWith(async (rows) => void (await kernel.submit({ rows }))),
    journal: () => store.durable.journal(JOB, 0, 100),
  };
};

test('a message whose answer was lost in a crash is acknowledged with the id that it has in the inbox (HTTP-1)', async () => {
  const { dying, restarted, journal } = await setUp();
  await dying.message(JOB, { message: 'use tabs' }, ASKER).catch(() => undefined);
  const repeated = await restarted.message(JOB, { message: 'use tabs' }, ASKER);
  const messages = journal().filter(({ event }) => event.type === 'job.message');
  assert.equal(
    messages.map(({ event }) => Reflect.get(event, 'id')),
    [repeated.receipt?.id],
  );
  assert.equal(
    (await restarted.message(JOB, { message: 'use tabs' }, ASKER)).receipt,
    repeated.receipt,
  );
});

test('a repeated command is answered with its own journal row, whatever has come since (HTTP-1)', async () => {
  const { dying, restarted, journal } = await setUp();
  await dying.pause(JOB, ASKER).catch(() => undefined);
  await restarted.message(JOB, { message: 'meanwhile' }, { by: 'open' });
  const { seq } = await restarted.pause(JOB, ASKER);
  const rows = journal();
  assert.is(rows.find((row) => row.seq === seq)?.event.type, 'job.pause');
  assert.equal(
    rows.map(({ event }) => event.type),
    ['xstate.init', 'job.pause', 'job.message'],
  );
});

test('messages without a key are separate messages', async () => {
  const { restarted, journal } = await setUp();
  const replies = [
    await restarted.message(JOB, { message: 'twice' }, { by: 'open' }),
    await restarted.message(JOB, { message: 'twice' }, { by: 'open' }),
  ];
  assert.equal(
    journal().flatMap(({ event }) =>
      event.type === 'job.message' ? [Reflect.get(event, 'id')] : [],
    ),
    replies.map(({ receipt }) => receipt?.id),
  );
});

test.run();
