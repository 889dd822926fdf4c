import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobChart } from '../machines/index.ts';
import { createKernel } from '../src/kernel/kernel.ts';
import { systemClock } from '../src/base/time/clock.ts';
import { Slots } from '../src/jobs/slots/slots.ts';
import { openStore } from '../src/jobs/store/openStore.ts';
import { createPhases } from './benchWorkflow.ts';
import { instantPorts } from './instantPorts.ts';
import { jobInput } from './jobInput.ts';
import { BENCH_WRITER } from './writerThread.ts';

const CONCURRENT = 100;
const WORKFLOW = createPhases(6);

/**
 * Whole jobs a second: the real chart from request to complete through six phases whose agents do
 * nothing, with slots, journal, log and visits, all of it durable.
 */
export async function wholeJobRate(jobs: number): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-bench-jobs-'));
  const store = openStore({
    file: join(dir, 'state.db'),
    pid: process.pid,
    now: systemClock.now(),
    commits: { place: 'auto', measureElapsed: () => performance.now() },
    thread: BENCH_WRITER,
  });
  const fail = (_where: string, error: unknown) => {
    throw error;
  };
  const slots = new Slots({
    isShut: () => false,
    admissions: [],
    actors: store.actors,
    clock: systemClock,
    limit: CONCURRENT,
    onError: (error) => fail('slots', error),
  });
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [jobChart],
    followUp: slots,
    ports: instantPorts(WORKFLOW),
    clock: systemClock,
    onError: fail,
  });
  const waiting = new Map<string, () => void>();
  kernel.onCommit(({ steps }) => {
    for (const { id, after } of steps) {
      if (typeof after.value === 'object' && after.value.ended === 'complete') waiting.get(id)?.();
    }
  });
  try {
    await kernel.start();
    slots.start(kernel);
    let next = 0;
    const worker = async () => {
      while (next < jobs) {
        const id = `bench-job-${next++}`;
        const complete = new Promise<void>((resolve) => waiting.set(id, resolve));
        await kernel.submit({
          starts: [{ chart: jobChart.id, id, input: jobInput(id, WORKFLOW) }],
        });
        await complete;
        waiting.delete(id);
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: CONCURRENT }, worker));
    return (jobs / (performance.now() - start)) * 1_000;
  } finally {
    slots.stop();
    await kernel.stop(0);
    store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
