import { setup } from 'xstate';
import { scheduleChart, toScheduleActorId } from '../../../machines/index.ts';
import type { ScheduleRule } from '../../../src/contract/schema/runner/schedule.ts';
import type { CreateJob } from '../../../src/jobs/create/createJob.ts';
import { createScheduleFollowUp } from '../../../src/jobs/schedules/scheduleFollowUp.ts';
import { planSchedule, startScheduledJob } from '../../../src/jobs/schedules/schedulePorts.ts';
import { createScheduleService } from '../../../src/jobs/schedules/scheduleService.ts';
import type { OpenStore } from '../../../src/jobs/store/openStore.ts';
import type { DurableChart } from '../../../src/kernel/chart.ts';
import type { KernelUse, Kernel } from '../../../src/contract/records/changes.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { Batch } from '../../../src/kernel/writer.ts';
import { memoryStore } from '../memoryStore.ts';
import { SimulatedClock } from './simulatedClock.ts';

export const aRule = (over: Partial<ScheduleRule> = {}): ScheduleRule => ({
  name: 'nightly',
  enabled: true,
  cron: '30 2 * * *',
  timeZone: 'UTC',
  workflow: 'workflows/job.md',
  type: 'job',
  params: {},
  missed: 'skip',
  overlap: 'skip',
  jitter: '0m',
  ...over,
});

/** A job that does nothing until it is ended. */
const idleJob: DurableChart = {
  id: 'job',
  version: 1,
  machine: setup({
    types: { context: {} as { params: unknown }, input: {} as { params: unknown } },
  }).createMachine({
    context: ({ input }) => input,
    initial: 'working',
    states: {
      working: { on: { end: 'complete', fail: 'failed', 'job.cancel': 'cancelled' } },
      complete: {},
      failed: {},
      cancelled: {},
    },
    options: { maxIterations: 5 },
  }),
  senders: { end: 'a test', fail: 'a test', 'job.cancel': 'a test' },
  guards: {},
  index: ({ value }) => ({
    label: String(value),
    kind: 'job',
    parent: null,
    slot: false,
    waitingSince: null,
    activity: value === 'working' ? 'live' : 'ended',
  }),
  frames: () => [],
  createGivenUpEvent: () => ({ type: 'effect.givenUp' }),
  migrations: {},
};

/** Schedules in kernel and SQLite under a simulated clock, with jobs that do nothing. */
export class ScheduleStage {
  readonly clock: SimulatedClock;
  readonly store: OpenStore = memoryStore();
  readonly settings: { schedules: ScheduleRule[] };
  /** Every job, in the order of creation, with the time that it is for. */
  readonly jobs: { id: string; time: string; at: number }[] = [];
  /** Thrown instead of the next creations. */
  refusal: Error | null = null;
  isAdopted = false;
  /** Called around every commit; throws where the process dies. */
  atCommit: (moment: 'before' | 'after') => void = () => {};
  #kernel: Kernel | null = null;
  #life = 0;
  #serial = 0;

  constructor(rules: ScheduleRule[], startMs: number) {
    this.clock = new SimulatedClock(startMs);
    this.settings = { schedules: rules };
    const commit = this.store.durable.commit.bind(this.store.durable);
    this.store.durable.commit = (batch: Batch) => {
      this.atCommit('before');
      const result = commit(batch);
      this.atCommit('after');
      return result;
    };
  }

  get kernel(): Kernel {
    if (this.#kernel === null) throw new Error('the runner is not running');
    return this.#kernel;
  }

  get isRunning(): boolean {
    return this.#kernel !== null;
  }

  get rows() {
    return this.store.rows.all('schedule_runs');
  }

  /** All that needs no time has happened. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  readonly createJob: CreateJob = async (body, _request, origin) => {
    if (this.refusal !== null) throw this.refusal;
    this.#serial += 1;
    const id = `job-${this.#serial}`;
    const time = String(origin?.trigger.time);
    await this.kernel.submit({
      starts: [
        { chart: 'job', id, input: { params: { ...body.params, trigger: origin?.trigger } } },
      ],
      rows: origin?.rows(id) ?? [],
      allOrNothing: true,
    });
    this.jobs.push({ id, time, at: this.clock.now() });
    return { jobId: id, status: 'queued', streamUrl: '' };
  };

  get service() {
    return createScheduleService({
      settings: this.settings,
      kernel: this.kernel as KernelUse,
      rows: this.store.rows,
      actors: this.store.actors,
      createJob: this.createJob,
      checkJob: async () => undefined,
      isAdopted: this.isAdopted,
      log: { info() {}, warn() {}, error() {} },
      now: () => this.clock.now(),
    });
  }

  async start(): Promise<void> {
    this.#life += 1;
    const life = this.#life;
    const isAlive = () => this.#life === life && this.#kernel !== null;
    const deps = {
      kernel: { submit: (work: Parameters<Kernel['submit']>[0]) => this.kernel.submit(work) },
      rows: this.store.rows,
      createJob: this.createJob,
      findRule: (name: string) => this.settings.schedules.find((rule) => rule.name === name),
      isAdopted: this.isAdopted,
      now: () => this.clock.now(),
    };
    this.#kernel = createKernel({
      store: this.store.durable,
      charts: [scheduleChart, idleJob],
      ports: { 'schedule.plan': planSchedule(deps), 'schedule.start': startScheduledJob(deps) },
      clock: {
        now: () => this.clock.now(),
        at: (at, run) => this.clock.at(at, () => isAlive() && run()),
      },
      followUp: createScheduleFollowUp((id) => this.store.durable.actor(id) !== undefined),
      screen: null,
    }) as Kernel;
    await this.#kernel.start();
    await this.service.sync();
    await this.settle();
  }

  /** The process is gone: what it had not committed is lost, and its timers do not fire. */
  die(): void {
    this.#kernel = null;
    this.#life += 1;
  }

  /** Moves the clock from timer to timer; all that follows from one happens before the next. Ends where the process dies. */
  async advance(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    const stop = this.clock.at(end, () => {});
    await this.settle();
    while (this.clock.now() < end && this.isRunning) {
      this.clock.runNext();
      await this.settle();
    }
    stop();
  }

  state(name = 'nightly') {
    return this.kernel.state(toScheduleActorId(name));
  }

  async end(jobId: string, how: 'end' | 'fail' = 'end'): Promise<void> {
    await this.kernel.send(jobId, { type: how });
    await this.settle();
  }

  times(): string[] {
    return this.jobs.map(({ time }) => time);
  }
}
