import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type JobContext, type JobInput, jobChart } from '../../machines/index.ts';
import type { Kernel } from '../../src/durable/contract.ts';
import { createKernel } from '../../src/durable/kernel.ts';
import type { Ports } from '../../src/durable/port.ts';
import { leafPaths } from '../../src/durable/step.ts';
import { type OpenStore, openStore } from '../../src/store/openStore.ts';
import { randomEvent, seededRandom, WALK_WORKFLOW } from '../support/randomWalk.ts';
import { SimulatedClock } from '../support/simulatedClock.ts';

const test = suite('random walks of the job chart');

const WALKS = 500;
const STEPS = 40;
const SEED = Number(process.env.WALK_SEED ?? Math.floor(Math.random() * 2 ** 31));

const LEGAL = new Set([
  'queued',
  'working.preparing',
  'working.inSession',
  'working.stopping',
  'parked.approval',
  'parked.event',
  'parked.developer',
  'parked.paused',
  'ended.complete',
  'ended.failed',
  'ended.escalated',
  'ended.cancelled',
]);

/** Ports that never answer: the walk itself sends what they would. */
const silent: Ports = Object.fromEntries(
  ['phase.prepare', 'session.open', 'session.stop', 'forge.write'].map((name) => [name, () => new Promise<undefined>(() => {})]),
);

const kernelOn = async (store: OpenStore, clock: SimulatedClock): Promise<Kernel> => {
  const kernel = createKernel({ store: store.durable, charts: [jobChart], ports: silent, clock, defer: queueMicrotask });
  await kernel.start();
  return kernel;
};

/** Equal but for what was masked because it depends on the time. */
const matches = (masked: unknown, real: unknown): boolean => {
  if (masked === '<time>') return true;
  if (typeof masked !== 'object' || typeof real !== 'object' || masked === null || real === null) return masked === real;
  const keys = new Set([...Object.keys(masked), ...Object.keys(real)]);
  return [...keys].every((key) => matches(Reflect.get(masked, key), Reflect.get(real, key)));
};

const input = (id: string): JobInput => ({
  id,
  type: 'job',
  tenantId: 'solo-test',
  workflowPath: 'workflows/job.md',
  workflow: WALK_WORKFLOW,
  params: { description: 'walk' },
  interactive: true,
  limits: { gateBlocks: 5, sessionsPerVisit: 10 },
  createdAt: 0,
});

const checkState = (kernel: Kernel, id: string, trail: readonly string[]): JobContext => {
  const state = kernel.state(id);
  if (!state) throw new Error(`${id} is lost`);
  const context = state.context as JobContext;
  const leaves = leafPaths(state.value);
  const told = `seed ${SEED}: ${trail.join(' > ')}`;
  assert.ok(leaves.length === 1 && LEGAL.has(leaves[0] ?? ''), `no legal state: ${leaves.join()}; ${told}`);
  if (leaves[0]?.startsWith('parked.')) assert.ok(kernel.why(id).waitsFor.length > 0, `parked without a reason; ${told}`);
  assert.is(state.tags.includes('slot'), leaves[0]?.startsWith('working.'), `the slot is not the state's; ${told}`);
  if (leaves[0] === 'ended.complete') {
    const open = context.workItems.filter(({ status }) => status === 'pending' || status === 'in-progress');
    assert.equal(open, [], `complete with open work items; ${told}`);
    assert.is(context.unread.messages, 0, `complete with an unread message; ${told}`);
  }
  return context;
};

test(`${WALKS} walks with crashes: always a legal state, a parked job knows why, what-if is what then happens (JOB-2 JOB-3 RUN-4)`, async () => {
  console.log(`WALK_SEED=${SEED}`);
  const clock = new SimulatedClock();
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  let taken = 0;
  for (let walk = 0; walk < WALKS; walk++) {
    const random = seededRandom(SEED + walk);
    const id = `walk-job-${walk}`;
    const trail: string[] = [];
    let kernel = await kernelOn(store, clock);
    await kernel.submit({ starts: [{ chart: 'job', id, input: input(id) }] });
    let context = checkState(kernel, id, trail);
    for (let step = 0; step < STEPS; step++) {
      if (random() < 0.02) {
        // A crash: what is not in the store is gone.
        kernel = await kernelOn(store, clock);
        trail.push('crash');
        context = checkState(kernel, id, trail);
      }
      const event = randomEvent(random, context, walk * STEPS + step);
      trail.push(event.type);
      const told = `seed ${SEED}: ${trail.join(' > ')}`;
      const foreseen = kernel.whatIf(id, event);
      const result = await kernel.send(id, event);
      assert.is(result.accepted, foreseen.accepted, `foreseen otherwise; ${told}`);
      const before = context;
      context = checkState(kernel, id, trail);
      if (!result.accepted) {
        assert.equal(context, before, `a refused event changed the job; ${told}`);
        continue;
      }
      taken += 1;
      assert.equal(kernel.state(id)?.value, foreseen.value, `another state than foreseen; ${told}`);
      for (const [key, value] of Object.entries(foreseen.changes)) {
        assert.ok(matches(value, Reflect.get(context, key)), `${key} became another than foreseen; ${told}`);
      }
      const [row] = store.durable.journal(id, result.seq - 1, 1);
      assert.equal(
        row?.effects.map(({ type }) => type),
        foreseen.effects.map(({ type }) => type),
        `other effects than foreseen; ${told}`,
      );
      clock.advance(1);
    }
  }
  assert.ok(taken > WALKS * STEPS * 0.2, `only ${taken} events were taken: the walks prove little`);
  store.close();
});

test.run();
