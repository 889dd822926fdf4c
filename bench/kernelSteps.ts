import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assign, setup } from 'xstate';
import type { DurableChart } from '../src/durable/chart.ts';
import { createKernel } from '../src/durable/kernel.ts';
import { systemClock } from '../src/lib/clock.ts';
import { openStore } from '../src/durable/sqlite/openStore.ts';

/** Workflows under way at once. */
const CONCURRENT = 100;
const STEPS = ['one', 'two', 'three', 'four', 'five', 'six'] as const;

/** About 4 KB of context, of the shape that a job's has: a list of small records. */
const payload = Array.from({ length: 40 }, (_, n) => ({
  id: `item-${n}`,
  title: 'x'.repeat(48),
  status: 'pending',
  loopCount: n,
}));

const machine = setup({
  types: {
    context: {} as { id: string; done: number; items: typeof payload },
    events: {} as { type: 'next' },
    input: {} as { id: string },
  },
}).createMachine({
  options: { maxIterations: 100 },
  context: ({ input }) => ({ id: input.id, done: 0, items: payload }),
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
  givenUp: () => ({ type: 'next' }),
  migrations: {},
};

/**
 * Durable steps a second of the bare kernel over `workflows` workflows of six steps, each
 * acknowledged before the next is sent. Throws where one did not have all its steps.
 */
export async function kernelStepRate(workflows: number): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-bench-kernel-'));
  const store = openStore({
    file: join(dir, 'state.db'),
    pid: process.pid,
    now: systemClock.now(),
  });
  const kernel = createKernel({
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
        await kernel.submit({ starts: [{ chart: chart.id, id, input: { id } }] });
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
