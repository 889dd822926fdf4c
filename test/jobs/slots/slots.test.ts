import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type JobInput, jobChart } from '../../../machines/index.ts';
import type { Admission, AdmissionAnswer } from '../../../src/policy/admission.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { Slots } from '../../../src/jobs/slots/slots.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { PuppetPorts } from '../../support/charts/puppetPorts.ts';
import { WALK_WORKFLOW } from '../../support/charts/randomWalk.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('runner slots');

const input = (id: string, createdAt: number): JobInput => ({
  id,
  type: 'job',
  tenantId: 'solo-test',
  workflowPath: 'workflows/job.md',
  workflow: WALK_WORKFLOW,
  params: {},
  interactive: true,
  limits: { gateBlocks: 5, sessionsPerVisit: 10 },
  createdAt,
});

/** Kernel and slots on a store whose commits fail where `fails` returns true. */
const setUp = async ({
  limit,
  fails = () => false,
  charts = [jobChart],
  admissions,
  isShut,
}: SetUp) => {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const commit = store.durable.commit.bind(store.durable);
  const commits: string[][] = [];
  store.durable.commit = (batch) => {
    const events = batch.journal.map(({ actor, event }) => `${actor} ${event.type}`);
    if (fails(events)) throw new Error('the disk is full');
    commits.push(events);
    return commit(batch);
  };
  const clock = new SimulatedClock();
  const { ports } = new PuppetPorts();
  const errors: unknown[] = [];
  const slots = new Slots({
    actors: store.actors,
    clock,
    limit,
    admissions: admissions ?? [],
    isShut: isShut ?? (() => false),
    onError: (error) => errors.push(error),
  });
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts,
    ports,
    clock,
    followUp: slots,
  });
  await kernel.start();
  const start = (...ids: string[]) =>
    kernel.submit({
      starts: ids.map((id) => ({ chart: jobChart.id, id, input: input(id, clock.now()) })),
    });
  const working = () =>
    ['job-1', 'job-2', 'job-3'].filter((id) => kernel.state(id)?.tags.includes('slot'));
  return { kernel, clock, slots, errors, start, working, commits };
};

interface SetUp {
  limit: number;
  fails?: (events: string[]) => boolean;
  charts?: (typeof jobChart)[];
  admissions?: Admission[];
  isShut?: () => boolean;
}

/** An admission with an answer for some jobs; all others may go. */
const admissionsBy = (of: Record<string, AdmissionAnswer>): Admission => ({
  beginGroup:
    () =>
    ({ id }) =>
      of[id] ?? { kind: 'go' },
});

test('the jobs that wait get the slots, as many as there are, the oldest first, in the commit that frees one (RUN-6)', async () => {
  const { start, working, slots, kernel, commits } = await setUp({ limit: 2 });
  slots.start(kernel);
  await start('job-2');
  await start('job-1', 'job-3');
  assert.equal(working(), ['job-1', 'job-2']);
  assert.equal(slots.use(), { used: 2, limit: 2 });
  await kernel.send('job-1', { type: 'job.pause' });
  assert.equal(working(), ['job-2', 'job-3']);
  assert.equal(commits, [
    ['job-2 xstate.init', 'job-2 slot.granted'],
    ['job-1 xstate.init', 'job-3 xstate.init', 'job-1 slot.granted'],
    ['job-1 job.pause', 'job-3 slot.granted'],
  ]);
});

test('a job that is woken while a slot is free is at work in the commit that wakes it', async () => {
  const { start, working, slots, kernel, commits } = await setUp({ limit: 1 });
  slots.start(kernel);
  await start('job-1');
  await kernel.send('job-1', { type: 'job.pause' });
  commits.length = 0;
  await kernel.send('job-1', { type: 'job.resume', eventKey: 'manual-resume' });
  assert.equal(commits, [['job-1 job.resume', 'job-1 slot.granted']]);
  assert.equal(working(), ['job-1']);
});

test('a job that waited before a restart comes before one that begins to wait with the first commit after it', async () => {
  const { start, working, slots, kernel, clock } = await setUp({ limit: 1 });
  await start('job-2');
  clock.advance(1);
  slots.start(kernel);
  await start('job-1');
  assert.equal(working(), ['job-2']);
});

test('a slot that is free when the slots start is granted, and again a second later where that could not be written', async () => {
  let failures = 1;
  const fails = (events: string[]) => events.includes('job-1 slot.granted') && failures-- > 0;
  const { start, working, clock, errors, slots, kernel } = await setUp({ limit: 1, fails });
  await start('job-1');
  slots.start(kernel);
  await kernel.awaitFlushed();
  await new Promise(setImmediate);
  assert.equal(working(), []);
  assert.equal(errors.length, 1);
  clock.advance(1_000);
  await kernel.awaitFlushed();
  assert.equal(working(), ['job-1']);
});

test('a job that does not take its grant keeps no other waiting, and is offered one again a second later', async () => {
  let broken = true;
  const chart = {
    ...jobChart,
    index(state: Parameters<typeof jobChart.index>[0]) {
      if (broken && state.id === 'job-1' && state.tags.includes('slot'))
        throw new Error('this one has no name');
      return jobChart.index(state);
    },
  };
  const { start, working, slots, kernel, clock } = await setUp({ limit: 1, charts: [chart] });
  slots.start(kernel);
  await start('job-1', 'job-2');
  await kernel.awaitFlushed();
  assert.equal(working(), ['job-2']);
  broken = false;
  await kernel.send('job-2', { type: 'job.pause' });
  assert.equal(working(), []);
  clock.advance(1_000);
  await kernel.awaitFlushed();
  assert.equal(working(), ['job-1']);
});

test('a job that an admission parks leaves the line, in the commit that gives the slot to the next one', async () => {
  const admissions = [admissionsBy({ 'job-1': { kind: 'park', event: { type: 'job.pause' } } })];
  const { start, working, slots, kernel, commits } = await setUp({ limit: 1, admissions });
  slots.start(kernel);
  await start('job-1', 'job-2');
  assert.equal(kernel.state('job-1')?.value, { parked: 'paused' });
  assert.equal(working(), ['job-2']);
  assert.equal(commits, [
    ['job-1 xstate.init', 'job-2 xstate.init', 'job-1 job.pause', 'job-2 slot.granted'],
  ]);
});

test('a job that an admission lets wait keeps its place, and is asked again at the next look at the slots', async () => {
  const of: Record<string, AdmissionAnswer> = { 'job-1': { kind: 'wait' } };
  const { start, working, slots, kernel } = await setUp({
    limit: 2,
    admissions: [admissionsBy(of)],
  });
  slots.start(kernel);
  await start('job-1', 'job-2');
  assert.equal(working(), ['job-2']);
  assert.equal(kernel.state('job-1')?.value, 'queued');
  delete of['job-1'];
  slots.look();
  await kernel.awaitFlushed();
  assert.equal(working(), ['job-1', 'job-2']);
});

test('the grant carries what the admissions add to it, and the first that says no decides', async () => {
  const jobIds: string[] = [];
  const second: Admission = {
    beginGroup: () => (job) => {
      jobIds.push(job.id);
      return { kind: 'go', grant: { b: 2 } };
    },
  };
  const first = admissionsBy({
    'job-1': { kind: 'wait' },
    'job-2': { kind: 'go', grant: { a: 1 } },
  });
  const { start, slots, kernel } = await setUp({ limit: 2, admissions: [first, second] });
  const granted: Record<string, unknown>[] = [];
  kernel.onCommit(({ steps }) => {
    for (const { journal } of steps)
      if (journal.event.type === 'slot.granted') granted.push({ ...journal.event, at: 0 });
  });
  slots.start(kernel);
  await start('job-1', 'job-2');
  assert.equal(granted, [{ type: 'slot.granted', a: 1, b: 2, at: 0 }]);
  assert.equal(jobIds, ['job-2']);
});

test('after the stop nothing is granted', async () => {
  const { start, working, slots, kernel } = await setUp({ limit: 1 });
  slots.start(kernel);
  slots.stop();
  await start('job-1');
  assert.equal(working(), []);
});

test('while no job may begin none is granted a slot or parked, those at work keep theirs, and a look afterwards grants the free ones', async () => {
  let shut = false;
  const jobIds: string[] = [];
  const admissions: Admission[] = [
    {
      beginGroup:
        () =>
        ({ id }) => {
          jobIds.push(id);
          return { kind: 'go' };
        },
    },
  ];
  const { start, working, slots, kernel } = await setUp({
    limit: 2,
    admissions,
    isShut: () => shut,
  });
  slots.start(kernel);
  await start('job-1');
  shut = true;
  await start('job-2', 'job-3');
  assert.equal(working(), ['job-1']);
  assert.equal(jobIds, ['job-1']);
  await kernel.send('job-2', { type: 'job.pause' });
  assert.equal(kernel.why('job-2').state, ['parked.paused']);
  shut = false;
  slots.look();
  await kernel.submit({});
  assert.equal(working(), ['job-1', 'job-3']);
});

test.run();
