import { answerCalls } from '../../hostProcess.ts';
import { residentMemory } from '../../memory.ts';
import { monotonicMs } from '../../monotonic.ts';
import { Begun } from '../begun.ts';
import { driverArgs, packageFrom, parkedName, type WorkerCalls } from '../driver.ts';
import { CONCURRENT, STEPS } from '../sizes.ts';
import { createConnection, type GraphileWorker, STEP, type Tools, WAITING } from './packages.ts';

/**
 * graphile-worker has jobs but no workflows, so a workflow is a chain of jobs, each of which adds
 * the next. A parked job has a time far in the future; the event replaces it by one that is due.
 */
const args = driverArgs();
const graphile: GraphileWorker = packageFrom(args, 'graphile-worker');
/** Longer than any bench, ms. */
const FAR_MS = 7 * 24 * 3_600_000;
const POOL = 20;

const beginnings = new Begun();
const had = new Map<string, number>();
let remaining = 0;
let noteEnd = (): void => {};

const connection = createConnection(graphile, args.ports);
await graphile.run({
  preset: {
    worker: {
      ...connection,
      concurrentJobs: CONCURRENT,
      maxPoolSize: POOL,
      // Both were faster here than without: jobs are fetched and completed in batches.
      localQueue: { size: CONCURRENT + 1 },
      completeJobBatchDelay: 0,
    },
  },
  taskList: {
    async [STEP]({ id, n }: { id: string; n: number }, { addJob }: Tools) {
      had.set(id, (had.get(id) ?? 0) + 1);
      if (n < STEPS) {
        await addJob(STEP, { id, n: n + 1 });
        return;
      }
      remaining -= 1;
      if (remaining === 0) noteEnd();
    },
    async [WAITING]({ name }: { name: string }) {
      beginnings.note(name);
    },
  },
});
const utils = await graphile.makeWorkerUtils({ preset: { worker: connection } });

const jobs = (): Promise<number> =>
  utils.withPgClient(async (client) => {
    const { rows } = await client.query('SELECT count(*) AS n FROM graphile_worker.jobs');
    return Number(rows[0]?.['n']);
  });

const calls: WorkerCalls = {
  async steps(workflows) {
    const ids = Array.from({ length: workflows }, (_, n) => `${had.size + n}`);
    remaining = workflows;
    const all = new Promise<void>((resolve) => {
      noteEnd = resolve;
    });
    const start = monotonicMs();
    await utils.addJobs(ids.map((id) => ({ identifier: STEP, payload: { id, n: 1 } })));
    await all;
    // A job that has ended is a row that is gone.
    while ((await jobs()) > 0);
    const ms = monotonicMs() - start;
    const whole = ids.filter((id) => had.get(id) === STEPS).length;
    if (whole !== workflows)
      throw new Error(`${whole} of ${workflows} workflows had all their steps once`);
    return ms;
  },
  async park(from, to) {
    const names = Array.from({ length: to - from }, (_, n) => parkedName(from + n));
    const runAt = new Date(Date.now() + FAR_MS);
    await utils.addJobs(
      names.map((name) => ({ identifier: WAITING, payload: { name }, jobKey: name, runAt })),
    );
    return names;
  },
  begun: (count) => beginnings.take(count),
  memory: residentMemory,
};

answerCalls(calls);
