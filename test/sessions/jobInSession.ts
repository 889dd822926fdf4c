import { jobChart, subRunsChart } from '../../machines/index.ts';
import { createKernel } from '../../src/kernel/kernel.ts';
import type { EffectOutcome } from '../../src/kernel/port.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import type { Kernel } from '../../src/contract/records/changes.ts';
import type { WorkflowTable } from '../../src/contract/schema/workflow/workflow.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';

export const JOB = 'shop-job-1';

const nothing = async () => {};

/** A write that a forge has not answered yet. */
export interface WaitingWrite {
  answer(outcome: EffectOutcome): void;
  fail(error: Error): void;
}

/** A job whose first phase has a running session, on a store in memory; writes by their keys. */
export async function jobInSession(workflow: WorkflowTable) {
  const { durable, rows } = openStore({ file: ':memory:', pid: 1, now: 0 });
  const writes = new Map<string, WaitingWrite>();
  const kernel: Kernel = createKernel({
    screen: null,
    store: durable,
    charts: [jobChart, subRunsChart],
    clock: new SimulatedClock(),
    // A write that fails once is given up at once.
    retryMs: [],
    ports: {
      'phase.prepare': nothing,
      'session.open': () => new Promise(() => {}),
      'session.stop': nothing,
      'message.offer': nothing,
      'forge.write': ({ key }: { key: string }) =>
        new Promise((answer, fail) => void writes.set(key, { answer, fail })),
      'subRun.dispatch': nothing,
      'subRun.stop': nothing,
    },
  });
  await kernel.start();
  const input = {
    id: JOB,
    type: 'job',
    tenantId: 'solo-test',
    workflowPath: 'workflows/job.md',
    workflow,
    params: {},
    interactive: true,
    limits: { gateBlocks: 5, sessionsPerVisit: 10 },
    createdAt: 0,
  };
  await kernel.submit({ starts: [{ chart: jobChart.id, id: JOB, input }] });
  await kernel.send(JOB, { type: 'slot.granted' });
  const prepared = { visit: 1, workflow, overlayHash: 'hash', checkout: null };
  await kernel.send(JOB, { type: 'phase.prepared', ...prepared });
  return { kernel, rows, writes };
}
