import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assign, setup } from 'xstate';
import type { DurableChart } from '../src/kernel/chart.ts';
import { createKernel } from '../src/kernel/kernel.ts';
import { systemClock } from '../src/base/time/clock.ts';
import { openStore } from '../src/jobs/store/openStore.ts';
import { STATE } from './peers/sizes.ts';
import { BENCH_WRITER } from './writerThread.ts';

const CONCURRENT = 100;
const STEPS = ['one', 'two', 'three', 'four', 'five', 'six'] as const;

const machine = setup({
  types: {
    context: {} as { id: string; done: number; items?: typeof STATE },
    events: {} as { type: 'next' },
    input: {} as { id: string; items?: typeof STATE },
  },
}).createMachine({
  options: { maxIterations: 100 },
  context: ({ input }) => ({ ...input, done: 0 }),
  initial: 'start',
  states: {
    ...Object.fromEntries(
      ['start', ...STEPS.slice(0, -1)].map((name, n) => [
        name,
        {
          on: {
            next: {
              target: STEPS[n],
              actions: assign({ done: ({ context }) => context.done + 1 }),
            },
          },
        },
      ]),
    ),
    six: { type: 'final' },
  },
});

const chart: DurableChart = {
  id: 'steps',
  version: 1,
  machine,
  senders: { next: 'the bench' },
  guards: {},
  index: ({ status }) => ({
    label: 'bench',
    kind: 'bench',
    parent: null,
    slot: false,
    waitingSince: null,
    activity: status === 'done' ? 'ended' : 'live',
  }),
  frames: () => [],
  createGivenUpEvent: () => ({ type: 'next' }),
  migrations: {},
};

/**
 * Durable steps a second of the bare kernel over `workflows` workflows of six steps, each
 * acknowledged before the next is sent. `carried`: what their contexts hold beside a counter. Throws
 * where one did not have all its steps.
 */
export async function kernelStepRate(
  workflows: number,
  carried: 'nothing' | '4 KB' = '4 KB',
): Promise<number> {
  const state = carried === '4 KB' ? { items: STATE } : {};
  const dir = mkdtempSync(join(tmpdir(), 'svc-bench-kernel-'));
  const store = openStore({
    file: join(dir, 'state.db'),
    pid: process.pid,
    now: systemClock.now(),
    commits: { place: 'auto', measureElapsed: () => performance.now() },
    thread: BENCH_WRITER,
  });
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [chart],
    ports: {},
    clock: systemClock,
  });
  try {
    await kernel.start();
    let next = 0;
    const worker = async () => {
      while (next < workflows) {
        const id = `workflow-${next++}`;
        await kernel.submit({ starts: [{ chart: chart.id, id, input: { id, ...state } }] });
        for (const _ of STEPS) await kernel.send(id, { type: 'next' });
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: CONCURRENT }, worker));
    const ms = performance.now() - start;
    const whole = Array.from({ length: workflows }, (_, n) => kernel.state(`workflow-${n}`)).filter(
      (state) => state?.status === 'done' && Object(state.context).done === STEPS.length,
    );
    if (whole.length !== workflows)
      throw new Error(`${whole.length} of ${workflows} workflows had all their steps`);
    return ((workflows * STEPS.length) / ms) * 1_000;
  } finally {
    await kernel.stop(0);
    store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
