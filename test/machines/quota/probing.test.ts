import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quotaChart } from '../../../machines/index.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { memoryStore } from '../../support/memoryStore.ts';

const test = suite('a pool whose probe asks nothing');

const POOL = 'pool:anthropic:https://api.example:none';
/** Of a pool whose endpoint names no reset, and of its probe. */
const RESET_MS = 15 * 60_000;
const PROBE_MS = 120_000;

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the timer that its own event sets again stands: the next job is woken (JOB-16)', async () => {
  const store = memoryStore();
  const clock = new SimulatedClock();
  const woken: number[] = [];
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [quotaChart],
    clock,
    ports: {
      'quota.wake': async ({ jobs }: { jobs: number }) => {
        woken.push(jobs);
        return { events: [{ type: 'quota.woken', jobs, left: 3 }] };
      },
    },
  });
  await kernel.start();
  await kernel.submit({
    starts: [{ chart: 'quota', id: POOL, input: { pool: POOL, createdAt: clock.now() } }],
  });
  const hit = { type: 'quota.hit', kind: 'exhausted', window: null, resetsAt: null, chance: 0 };
  await kernel.send(POOL, hit);
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settle();
    await settle();
  };
  await pass(RESET_MS + 5_000);
  assert.equal(
    store.durable.timers(10).map(({ name, due }) => [name, due - clock.now()]),
    [['due', PROBE_MS]],
    'the timer of the probe stands',
  );
  await pass(PROBE_MS);
  assert.equal(woken, [1, 1], 'the next job is woken');
  await kernel.stop(0);
  store.close();
});

test.run();
