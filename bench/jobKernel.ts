import { join } from 'node:path';
import { jobChart } from '../machines/index.ts';
import type { Kernel } from '../src/kernel/contract.ts';
import { createKernel } from '../src/kernel/kernel.ts';
import type { Ports } from '../src/kernel/port.ts';
import { systemClock } from '../src/base/time/clock.ts';
import { type OpenStore, openStore } from '../src/jobs/store/openStore.ts';

export interface JobKernel extends AsyncDisposable {
  kernel: Kernel;
  store: OpenStore;
}

/** A started kernel with the job chart on the state of a home. Errors end the bench. */
export async function openJobKernel(home: string, ports: Ports): Promise<JobKernel> {
  const store = openStore({
    file: join(home, 'state.db'),
    pid: process.pid,
    now: systemClock.now(),
  });
  const onError = (where: string, error: unknown) => {
    throw new Error(`${where} failed during a benchmark`, { cause: error });
  };
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [jobChart],
    ports,
    clock: systemClock,
    onError,
  });
  await kernel.start();
  return {
    kernel,
    store,
    async [Symbol.asyncDispose]() {
      await kernel.stop(0);
      store.close();
    },
  };
}
