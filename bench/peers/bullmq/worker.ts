import { answerCalls } from '../../hostProcess.ts';
import { residentMemory } from '../../memory.ts';
import { monotonicMs } from '../../monotonic.ts';
import { Begun } from '../begun.ts';
import { driverArgs, packageFrom, parkedName, type WorkerCalls } from '../driver.ts';
import { CONCURRENT, STATE, STEPS } from '../sizes.ts';
import { type BullMq, type Job, STEPPING, WAITING } from './packages.ts';

/**
 * BullMQ: a workflow is a job, a step is an update of its data, as its manual shows it ("process
 * step jobs"). It cannot wait for an event: what is parked is a job whose delay is far longer than
 * the bench, and the event promotes it.
 */
const args = driverArgs();
const { Queue, Worker }: BullMq = packageFrom(args, 'bullmq');
const connection = { host: '127.0.0.1', port: args.ports['redis'] ?? 0 };
const options = { connection, concurrency: CONCURRENT };
/** Longer than any bench, ms. */
const FAR_MS = 7 * 24 * 3_600_000;
const AT_ONCE = 1_000;

const stepping = new Queue(STEPPING, { connection });
const waiting = new Queue(WAITING, { connection });
const beginnings = new Begun();
let remaining = 0;
let noteEnd = (): void => {};
const failures: string[] = [];

const stepper = new Worker(
  STEPPING,
  async (job: Job) => {
    while (job.data.done < STEPS) await job.updateData({ ...job.data, done: job.data.done + 1 });
  },
  options,
);
const settle = () => {
  remaining -= 1;
  if (remaining === 0) noteEnd();
};
stepper.on('completed', settle);
stepper.on('failed', ({ id }) => {
  failures.push(id);
  settle();
});
const waker = new Worker(WAITING, async ({ id }: Job) => beginnings.note(id), options);
await Promise.all([stepper.waitUntilReady(), waker.waitUntilReady(), waiting.waitUntilReady()]);

/** Completed jobs of the queue, which all had their six steps. */
async function completed(): Promise<number> {
  const jobs = await stepping.getJobs(['completed'], 0, -1);
  const halfDone = jobs.filter(({ data }) => data.done !== STEPS).length;
  if (failures.length + halfDone > 0)
    throw new Error(`${failures.length} jobs failed, ${halfDone} ended without all their steps`);
  return jobs.length;
}

const calls: WorkerCalls = {
  async steps(workflows, stated) {
    const data = { done: 0, ...(stated && { items: STATE }) };
    const before = await completed();
    remaining = workflows;
    const all = new Promise<void>((resolve) => {
      noteEnd = resolve;
    });
    const start = monotonicMs();
    await stepping.addBulk(Array.from({ length: workflows }, () => ({ name: 'workflow', data })));
    await all;
    const ms = monotonicMs() - start;
    const completedCount = (await completed()) - before;
    if (completedCount !== workflows)
      throw new Error(`${completedCount} of ${workflows} workflows were completed`);
    return ms;
  },
  async park(from, to) {
    const ids = Array.from({ length: to - from }, (_, n) => parkedName(from + n));
    for (let first = 0; first < ids.length; first += AT_ONCE) {
      await waiting.addBulk(
        ids.slice(first, first + AT_ONCE).map((jobId) => ({
          name: 'parked',
          data: { done: 0 },
          opts: { jobId, delay: FAR_MS },
        })),
      );
    }
    const { delayed = 0 } = await waiting.getJobCounts('delayed');
    if (delayed < ids.length) throw new Error(`${delayed} of ${ids.length} jobs are parked`);
    return ids;
  },
  begun: (count) => beginnings.take(count),
  memory: residentMemory,
};

answerCalls(calls);
