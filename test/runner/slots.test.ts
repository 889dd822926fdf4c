import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type JobInput, jobChart } from '../../machines/index.ts';
import { createKernel } from '../../src/durable/kernel.ts';
import { Slots } from '../../src/runner/slots.ts';
import { openStore } from '../../src/store/openStore.ts';
import { PuppetPorts } from '../support/puppetPorts.ts';
import { WALK_WORKFLOW } from '../support/randomWalk.ts';
import { SimulatedClock } from '../support/simulatedClock.ts';

const test = suite('runner slots');

const input = (id: string): JobInput => ({
  ...{ id, type: 'job', tenantId: 'solo-test', workflowPath: 'workflows/job.md', workflow: WALK_WORKFLOW, params: {} },
  ...{ interactive: true, limits: { gateBlocks: 5, sessionsPerVisit: 10 }, createdAt: 0 },
});

/** Kernel and slots on a store whose commits fail where `fails` says so. */
const setUp = async (limit: number, fails: (events: string[]) => boolean = () => false) => {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const commit = store.durable.commit.bind(store.durable);
  store.durable.commit = (batch) => {
    if (fails(batch.journal.map(({ event }) => `${batch.actors[0]?.id} ${event.type}`))) throw new Error('the disk is full');
    return commit(batch);
  };
  const clock = new SimulatedClock();
  const { ports } = new PuppetPorts();
  const kernel = createKernel({ store: store.durable, charts: [jobChart], ports, clock });
  await kernel.start();
  const errors: unknown[] = [];
  const slots = new Slots({ kernel, actors: store.actors, clock, limit, onError: (error) => errors.push(error) });
  const stop = slots.watch();
  const start = (...ids: string[]) => kernel.submit({ starts: ids.map((id) => ({ chart: jobChart.id, id, input: input(id) })) });
  /** All that follows from the last commit is committed. */
  const settled = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const working = () => ['job-1', 'job-2', 'job-3'].filter((id) => kernel.state(id)?.tags.includes('slot'));
  return { kernel, clock, slots, errors, stop, start, settled, working };
};

test('the jobs that wait get the slots, as many as there are, the oldest first (RUN-6)', async () => {
  const { start, settled, working, slots, kernel } = await setUp(2);
  await start('job-1', 'job-2', 'job-3');
  await settled();
  assert.equal([working(), slots.use()], [['job-1', 'job-2'], { used: 2, limit: 2 }]);
  await kernel.send('job-1', { type: 'job.pause' });
  await settled();
  assert.equal(working(), ['job-2', 'job-3']);
});

test('a job that begins to wait in the very commit of a grant gets the slot that is left', async () => {
  const { start, settled, working, slots, kernel } = await setUp(2);
  await start('job-1');
  // The grant of job-1 is under way now; job-2 comes with it into one group.
  await start('job-2');
  await settled();
  assert.equal([working(), slots.use()], [['job-1', 'job-2'], { used: 2, limit: 2 }]);
  assert.is(kernel.state('job-2')?.tags.includes('slot'), true);
});

test('a grant that could not be written is given again a second later, without anything else happening', async () => {
  let failures = 1;
  const { start, settled, working, clock, errors } = await setUp(
    1,
    (events) => events.includes('job-1 slot.granted') && failures-- > 0,
  );
  await start('job-1');
  await settled();
  assert.equal([working(), errors.length], [[], 1]);
  clock.advance(1_000);
  await settled();
  assert.equal(working(), ['job-1']);
});

test('a job that cannot be granted does not keep the others waiting', async () => {
  const { start, settled, working } = await setUp(1, (events) => events.includes('job-1 slot.granted'));
  await start('job-1', 'job-2');
  await settled();
  assert.equal(working(), ['job-2']);
});

test('after the stop nothing is granted any more', async () => {
  const { start, settled, working, stop } = await setUp(1);
  stop();
  await start('job-1');
  await settled();
  assert.equal(working(), []);
});

test.run();
