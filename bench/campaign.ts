import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  toDispatcherId,
  jobChart,
  type SubRunsInput,
  type SubRunsPorts,
  toSubRunRow,
  subRunsChart,
} from '../machines/index.ts';
import type { CommitNotice, Kernel } from '../src/kernel/contract.ts';
import { createKernel } from '../src/kernel/kernel.ts';
import type { Port } from '../src/kernel/port.ts';
import { systemClock } from '../src/base/time/clock.ts';
import { Slots } from '../src/jobs/slots/slots.ts';
import type { SubRunInput } from '../src/contract/schema/job/subRun.ts';
import type { WorkflowTable } from '../src/contract/schema/workflow/workflow.ts';
import { openStore } from '../src/jobs/store/openStore.ts';
import { createPhases } from './benchWorkflow.ts';
import { instantPorts } from './instantPorts.ts';
import { jobInput } from './jobInput.ts';

const CAP = 100;
const PARENT = 'bench-parent';
/** The parent waits in its first phase and comes back in its second. */
const PARENT_WORKFLOW: WorkflowTable = {
  ...createPhases(2, { agent: null }),
  coordinator: {
    enabled: true,
    parkPhase: 'phase-1',
    parkStatus: 'waiting',
    resumePhase: 'phase-2',
    subRunWorkflowPath: 'workflows/bench.md',
    subRunParamsDefault: {},
    maxParallelSubRuns: CAP,
    failurePolicy: 'continue',
    forwardSiblingInsights: false,
  },
};

/** `edges` of each to earlier ones, spread so that about a cap's worth is always ready. */
export const benchSpecs = (count: number, edges: number): SubRunInput[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `n${n}`,
    description: 'of a bench',
    dependsOn: Array.from({ length: edges }, (_unused, e) => n - 2 * CAP - e).flatMap((at) =>
      at < 0 ? [] : [`n${at}`],
    ),
  }));

/**
 * Jobs a second of `count` jobs of `phases` phases that do nothing, at most a hundred at once: as
 * sub-runs of one parent, two edges each, or started one by one, each when another ends.
 */
export async function campaignRate(
  count: number,
  phases: number,
  how: 'sub-runs' | 'direct',
): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-bench-campaign-'));
  const store = openStore({
    file: join(dir, 'state.db'),
    pid: process.pid,
    now: systemClock.now(),
  });
  const fail = (_where: string, error: unknown) => {
    throw error;
  };
  const workflow = createPhases(phases);
  const dispatch: Port<SubRunsPorts['subRun.dispatch']> = async ({
    parentJobId,
    name,
    attempt,
  }) => {
    const input = {
      ...jobInput(`bench-${name}`, workflow),
      subRunOf: { parentJobId, name, attempt },
    };
    return { events: [{ type: 'subRun.prepared', name, attempt, jobId: input.id, input }] };
  };
  const jobPorts = instantPorts(workflow);
  const slots = new Slots({
    isShut: () => false,
    admissions: [],
    actors: store.actors,
    clock: systemClock,
    limit: 2 * CAP,
    onError: (error) => fail('slots', error),
  });
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [jobChart, subRunsChart],
    followUp: slots,
    ports: {
      ...jobPorts,
      'phase.prepare': (params, run) =>
        (run.actorId === PARENT ? instantPorts(PARENT_WORKFLOW) : jobPorts)['phase.prepare'](
          params,
          run,
        ),
      'subRun.dispatch': dispatch,
      'subRun.stop': async () => {},
    },
    clock: systemClock,
    onError: fail,
  });
  const endings = new EndedJobs(kernel);
  try {
    await kernel.start();
    slots.start(kernel);
    const start = performance.now();
    if (how === 'direct') await direct(kernel, endings, count, workflow);
    else await asSubRuns(kernel, endings, benchSpecs(count, 2));
    return (count / (performance.now() - start)) * 1_000;
  } finally {
    slots.stop();
    await kernel.stop(0);
    store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Waits for jobs that become complete. */
class EndedJobs {
  readonly #waiting = new Map<string, () => void>();

  constructor(kernel: Kernel) {
    kernel.onCommit(({ steps }: CommitNotice) => {
      for (const { id, after } of steps) {
        if (typeof after.value === 'object' && after.value.ended === 'complete')
          this.#waiting.get(id)?.();
      }
    });
  }

  of(id: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }
}

async function direct(
  kernel: Kernel,
  endings: EndedJobs,
  count: number,
  workflow: WorkflowTable,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const id = `bench-job-${next++}`;
      const complete = endings.of(id);
      await kernel.submit({ starts: [{ chart: jobChart.id, id, input: jobInput(id, workflow) }] });
      await complete;
    }
  };
  await Promise.all(Array.from({ length: CAP }, worker));
}

async function asSubRuns(
  kernel: Kernel,
  endings: EndedJobs,
  specs: readonly SubRunInput[],
): Promise<void> {
  const complete = endings.of(PARENT);
  const dispatcher: SubRunsInput = {
    parentJobId: PARENT,
    createdAt: systemClock.now(),
    finalized: {
      graph: {
        names: specs.map(({ name }) => name),
        dependsOn: specs.map(({ dependsOn = [] }) => dependsOn),
        marks: 'p'.repeat(specs.length),
        attempts: specs.map(() => 1),
      },
      cap: CAP,
      policy: 'continue',
    },
  };
  await kernel.submit({
    starts: [
      {
        chart: jobChart.id,
        id: PARENT,
        input: { ...jobInput(PARENT, PARENT_WORKFLOW), beginsIn: 'phase-1' },
      },
      { chart: subRunsChart.id, id: toDispatcherId(PARENT), input: dispatcher },
    ],
    rows: specs.map((spec, n) => ({ op: 'put' as const, ...toSubRunRow(PARENT, n, spec) })),
  });
  await complete;
}
