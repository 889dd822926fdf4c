import { join } from 'node:path';
import { type JobContext, jobChart } from '../../machines/index.ts';
import { Budgets } from '../../src/policy/budgets/budgets.ts';
import type { Caps } from '../../src/base/spending/budgetScopes.ts';
import type { DurableEvent } from '../../src/kernel/chart.ts';
import { createKernel } from '../../src/kernel/kernel.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { Slots } from '../../src/jobs/slots/slots.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import type { Kernel, RowChange } from '../../src/contract/records/changes.ts';
import { createPhases } from '../benchWorkflow.ts';
import { under } from '../figure.ts';
import { instantPorts } from '../instantPorts.ts';
import { jobInput } from '../jobInput.ts';
import type { Lab } from '../lab.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

/** Commits of each kind that are measured with caps, and as many without. */
const COMMITS = 5_000;
/** Pairs before the first that counts. */
const WARM_UP = 200;
const JOB = 'bench-job-1';
const WORKFLOW = createPhases(1);
/** The caps that `svc init` writes. */
const CAPS: Caps = { job: { usd: 10 }, campaign: { usd: 50 }, day: { usd: 50 } };

/** One job whose slot is granted and taken back, with caps that can be switched. */
async function openCapped(lab: Lab) {
  const now = () => systemClock.now();
  const file = join(lab.folder('budgets'), 'state.db');
  const store = openStore({ file, pid: process.pid, now: now() });
  const settings = {
    budgets: { caps: {} as Caps, headlessFactor: 1, unpriced: { input: 15, output: 75 } },
  };
  const writeRows = async (rows: RowChange[]) => {
    await kernel.submit({ rows });
  };
  const budgets = new Budgets({
    rows: store.rows,
    writeRows,
    now,
    settings,
    findRoot: (jobId) => jobId,
    readContext: (jobId) => kernel.state(jobId)?.context as JobContext | undefined,
    callPrice: () => ({ metered: true, isListed: true, microUsd: 1_000_000 }),
  });
  const onError = (error: unknown) => {
    throw new Error('a budget failed during a benchmark', { cause: error });
  };
  const slots = new Slots({
    isShut: () => false,
    actors: store.actors,
    clock: systemClock,
    limit: 1,
    admissions: [budgets],
    onError,
  });
  const kernel: Kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [jobChart],
    // The preparation never ends: nothing but the two commits is done.
    ports: instantPorts(WORKFLOW, () => new Promise(() => {})),
    clock: systemClock,
    followUp: slots,
    onError: (_where, error) => onError(error),
  });
  await kernel.start();
  slots.start(kernel);
  await kernel.submit({ starts: [{ chart: 'job', id: JOB, input: jobInput(JOB, WORKFLOW) }] });
  const timed = async (event: DurableEvent): Promise<number> => {
    const from = performance.now();
    await kernel.send(JOB, event);
    return performance.now() - from;
  };
  return {
    holds: () => store.rows.count('budget_holds'),
    /** Takes the slot back, then grants it again: ms of each commit. */
    async round(caps: Caps): Promise<{ settle: number; hold: number }> {
      const settle = await timed({ type: 'job.pause' });
      settings.budgets.caps = caps;
      return {
        settle,
        hold: await timed({ type: 'job.resume', eventKey: 'manual-resume' } as never),
      };
    },
    async close(): Promise<void> {
      await kernel.stop(0);
      store.close();
    },
  };
}

/**
 * What caps add to the commit that grants a slot (hold) and to the one that frees it (settle): with
 * and without caps by turns, in one process. A hold is settled in the round after its own.
 */
export const budgetsRow: Row = {
  figures: ['budgets.hold', 'budgets.settle'],
  async measure(lab, note) {
    const stage = await openCapped(lab);
    const hold = { with: [] as number[], without: [] as number[] };
    const settle = { with: [] as number[], without: [] as number[] };
    for (let n = 0; n < WARM_UP + 2 * COMMITS; n++) {
      const holds = stage.holds() > 0 ? 'with' : 'without';
      const caps = n % 2 === 0 ? 'with' : 'without';
      const took = await stage.round(caps === 'with' ? CAPS : {});
      if (n < WARM_UP) continue;
      hold[caps].push(took.hold);
      settle[holds].push(took.settle);
    }
    await stage.close();
    note(
      `without caps: ${median(hold.without).toFixed(3)} and ${median(settle.without).toFixed(3)} ms`,
    );
    // Each commit with caps, compared with the next one without.
    const more = (of: typeof hold) =>
      median(of.with.map((ms, n) => ms - (of.without[n] ?? Number.NaN)));
    return {
      'budgets.hold': under({ value: more(hold), unit: 'ms', target: 0.2 }),
      'budgets.settle': under({ value: more(settle), unit: 'ms', target: 0.2 }),
    };
  },
};
