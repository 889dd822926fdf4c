import { createKernel } from '../../src/kernel/kernel.ts';
import type { Kernel, RowChange } from '../../src/contract/records/changes.ts';
import { SimulatedClock } from './charts/simulatedClock.ts';
import { memoryStore } from './memoryStore.ts';

/** The rows of a store in memory, written through a kernel as a runner does. */
export function rowsInMemory() {
  const store = memoryStore();
  const clock = new SimulatedClock(0);
  const kernel: Kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [],
    ports: {},
    clock,
  });
  const started = kernel.start();
  return {
    rows: store.rows,
    async writeRows(rows: RowChange[]): Promise<void> {
      await started;
      await kernel.submit({ rows });
    },
  };
}
