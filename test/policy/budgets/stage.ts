import { type JobContext, type JobInput, jobChart } from '../../../machines/index.ts';
import { Budgets } from '../../../src/policy/budgets/budgets.ts';
import type { Caps } from '../../../src/base/spending/budgetScopes.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import { createBudgetService } from '../../../src/policy/budgets/budgetService.ts';
import { createCommands } from '../../../src/jobs/commands/commands.ts';
import { Requests } from '../../../src/jobs/commands/requests.ts';
import { Slots } from '../../../src/jobs/slots/slots.ts';
import type { Kernel, RowChange } from '../../../src/contract/records/changes.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { PuppetPorts } from '../../support/charts/puppetPorts.ts';
import { WALK_WORKFLOW } from '../../support/charts/randomWalk.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

interface Given {
  caps?: Caps;
  limit?: number;
  metered?: boolean;
  /** By the vendor's own prices; default true. */
  listed?: boolean;
  /** Largest call, millionths of a dollar. */
  call?: number;
  startAt?: number;
}

/** Kernel, slots and budgets on a store in memory; sessions are what the test says. */
export async function budgetStage(options: Given = {}) {
  const { caps = {}, limit = 2, metered = true, listed = true, call = 1_000_000 } = options;
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const clock = new SimulatedClock();
  const { ports } = new PuppetPorts();
  const settings = {
    budgets: { caps, headlessFactor: 1, unpriced: { input: 15, output: 75 } },
  };
  const rows = store.rows;
  const writeRows = async (changes: RowChange[]) => {
    await kernel.submit({ rows: changes });
  };
  const budgets = new Budgets({
    rows,
    writeRows,
    now: () => clock.now(),
    settings,
    findRoot: (jobId) => jobId,
    readContext: (jobId) => kernel.state(jobId)?.context as JobContext | undefined,
    callPrice: () => ({ metered, isListed: listed, microUsd: call }),
  });
  const slots = new Slots({
    isShut: () => false,
    actors: store.actors,
    clock,
    limit,
    admissions: [budgets],
    onError: (error) => {
      throw error;
    },
  });
  const kernel: Kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [jobChart],
    ports,
    clock,
    followUp: slots,
  });
  await kernel.start();
  slots.start(kernel);
  const seqs = new Map<string, number>();
  return {
    kernel,
    store,
    clock,
    budgets,
    slots,
    rows,
    settings,
    start: async (id: string, params: Record<string, unknown> = {}) => {
      await kernel.submit({
        starts: [{ chart: jobChart.id, id, input: createInput(id, clock.now(), params) }],
      });
    },
    /** What a job's session uses, as the ledger has it. */
    use: async (id: string, more: Partial<Tables['usage_calls']>) => {
      const context = kernel.state(id)?.context as JobContext;
      const seq = (seqs.get(id) ?? 0) + 1;
      seqs.set(id, seq);
      const row = { ...CALL, subject: id, root: id, at: clock.now(), seq, ...more };
      const { visit, session } = context;
      await writeRows([{ op: 'put', table: 'usage_calls', row: { ...row, visit, session } }]);
    },
    leaf: (id: string) => JSON.stringify(kernel.state(id)?.value),
    context: (id: string) => kernel.state(id)?.context as JobContext,
    holds: () => rows.all('budget_holds').map(({ job_id, usd }) => [job_id, usd]),
    writeRows,
    jobs: store.jobs,
    service: createBudgetService({
      kernel: kernel,
      rows,
      stops: store.budgetStops,
      budgets,
      slots,
      readState: (id) => kernel.state(id) as ActorState<JobContext>,
      now: () => clock.now(),
    }),
    commands: createCommands({
      kernel: kernel,
      requests: new Requests(rows, writeRows, () => clock.now()),
      ids: { next: () => 'id', secret: () => 'secret' },
      readState: (id) => kernel.state(id) as ActorState<JobContext>,
      rows,
      readSince: () => 0,
      now: () => clock.now(),
      enforcement: { phases: () => [] },
      budgets,
      inbox: (actor, source, externalId) => store.durable.inbox(actor, source, externalId),
    }),
  };
}

const CALL: Tables['usage_calls'] = {
  subject: '',
  visit: 1,
  session: 1,
  seq: 1,
  root: '',
  phase: 'plan',
  workflow: 'workflows/job.md',
  repository: null,
  provider: 'builtin',
  model: 'm',
  at: 0,
  ms: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  cache_write_1h_tokens: 0,
  reasoning_tokens: 0,
  micro_usd: 0,
  metered: 1,
  source: 'reported',
};

const createInput = (id: string, createdAt: number, params: Record<string, unknown>): JobInput => ({
  id,
  type: 'job',
  tenantId: 'solo-test',
  workflowPath: 'workflows/job.md',
  workflow: WALK_WORKFLOW,
  params,
  interactive: true,
  limits: { gateBlocks: 5, sessionsPerVisit: 10 },
  createdAt,
});
