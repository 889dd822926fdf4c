import { type JobContext, type JobInput, jobChart, subRunsChart } from '../../../machines/index.ts';
import type { ActorState, DurableChart, DurableEvent } from '../../../src/kernel/chart.ts';
import type { Kernel } from '../../../src/kernel/contract.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { WhatIf } from '../../../src/kernel/questions.ts';
import { listLeafPaths } from '../../../src/base/json/listLeafPaths.ts';
import type { Batch, JournalRow } from '../../../src/kernel/writer.ts';
import type { OpenStore } from '../../../src/jobs/store/openStore.ts';
import { memoryStore } from '../memoryStore.ts';
import { LEAF_STATES } from './jobStates.ts';
import { missingApprovals, WorkflowsOfVisits } from './approvalTruth.ts';
import { PuppetPorts } from './puppetPorts.ts';
import { SimulatedClock } from './simulatedClock.ts';

/** All that needs no time has happened. */
const settleQueue = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Equal but for what was masked because it depends on the time. */
const matches = (masked: unknown, real: unknown): boolean => {
  if (masked === '<time>') return true;
  if (typeof masked !== 'object' || typeof real !== 'object' || masked === null || real === null)
    return masked === real;
  const keys = new Set([...Object.keys(masked), ...Object.keys(real)]);
  return [...keys].every((key) => matches(Reflect.get(masked, key), Reflect.get(real, key)));
};

const isLimitOver = ({ params }: JobContext, now: number): boolean => {
  const { until } = Object(params.unattended) as { until?: string };
  return until !== undefined && Date.parse(until) <= now;
};

/** When the process dies around a commit. */
export type Death = 'before the commit' | 'after the commit';

/**
 * One job in kernel and SQLite with puppets for ports, and what must be true of it after every
 * event. What is not true is thrown, with the events that have led there.
 */
export class DurableJob {
  readonly clock = new SimulatedClock();
  readonly store: OpenStore;
  readonly id: string;
  readonly #name: string;
  readonly #chart: DurableChart;
  readonly #trail: string[] = [];
  readonly #workflows = new WorkflowsOfVisits();
  #kernel: Kernel;
  #puppets: PuppetPorts;
  #death: Death | null = null;
  /** Its state at the last check. */
  #was = '';

  private constructor(store: OpenStore, name: string, id: string, chart: DurableChart) {
    this.store = store;
    this.#chart = chart;
    this.#name = name;
    this.id = id;
    this.#puppets = new PuppetPorts();
    this.#kernel = this.#newKernel();
  }

  static async start(
    input: Omit<JobInput, 'id'>,
    name: string,
    chart = jobChart,
  ): Promise<DurableJob> {
    const store = memoryStore();
    const job = new DurableJob(store, name, 'a-job-1', chart);
    const commit = store.durable.commit.bind(store.durable);
    store.durable.commit = (batch) => job.#commit(batch, commit);
    await job.#kernel.start();
    await job.#kernel.submit({
      starts: [{ chart: jobChart.id, id: job.id, input: { ...input, id: job.id } }],
    });
    job.#check();
    return job;
  }

  get context(): JobContext {
    return this.#state().context as JobContext;
  }

  /** Dotted path of the leaf state. */
  get at(): string {
    return listLeafPaths(this.#state().value).join(' & ');
  }

  /** The process dies, and another one finds what is in the store. */
  async crash(): Promise<void> {
    this.#trail.push('crash');
    this.#puppets = new PuppetPorts();
    this.#kernel = this.#newKernel();
    await this.#kernel.start();
    await settleQueue();
    this.#check();
  }

  /**
   * Sends an event, through the port that it answers if there is one, and checks that what happens
   * is what `whatIf` foresaw. Returns whether it was accepted.
   */
  async send(event: DurableEvent): Promise<boolean> {
    this.#trail.push(event.type);
    const before = this.#state();
    const foreseen = this.#kernel.whatIf(this.id, event);
    let row: JournalRow | undefined;
    if (this.#puppets.answer(event)) {
      await settleQueue();
      row = this.#rowAfter(before.seq);
    } else {
      const result = await this.#kernel.send(this.id, event);
      row = result.accepted ? this.#rowAfter(result.seq - 1) : undefined;
    }
    this.#demand(
      (row !== undefined) === foreseen.accepted,
      'it is taken exactly when that was foreseen',
    );
    this.#compare(before, foreseen, row);
    this.#check();
    // The limit of its time is a timer of its own.
    this.clock.advance(1);
    await settleQueue();
    this.#check();
    return row !== undefined;
  }

  /** Sends an event and dies on the way: afterwards it has happened as foreseen, or not at all. */
  async sendAndDie(event: DurableEvent, death: Death): Promise<void> {
    const before = this.#state();
    const foreseen = this.#kernel.whatIf(this.id, event);
    this.#death = death;
    this.#trail.push(`${event.type} (dies ${death})`);
    if (this.#puppets.answer(event)) await settleQueue();
    else await this.#kernel.send(this.id, event).catch(() => undefined);
    // An event that is not taken writes nothing, so it cannot kill.
    this.#death = null;
    const row = this.#rowAfter(before.seq);
    this.#demand(
      row === undefined || (foreseen.accepted && death === 'after the commit'),
      'what is stored was written',
    );
    this.#demand(
      row !== undefined || !foreseen.accepted || death === 'before the commit',
      'what was written is stored',
    );
    const actor = this.store.durable.actor(this.id);
    this.#demand(actor?.seq === (row?.seq ?? before.seq), 'actor and journal are one commit');
    await this.crash();
  }

  close(): void {
    this.store.close();
  }

  #newKernel(): Kernel {
    const { clock, store } = this;
    return createKernel({
      screen: null,
      store: store.durable,
      charts: [this.#chart, subRunsChart],
      ports: this.#puppets.ports,
      clock,
      defer: queueMicrotask,
      onError: () => {},
    });
  }

  #commit(
    batch: Batch,
    commit: (batch: Batch) => undefined | Promise<undefined>,
  ): undefined | Promise<undefined> {
    if (this.#death === 'before the commit') throw new Error('died before the commit');
    const result = commit(batch);
    if (this.#death === 'after the commit') throw new Error('died after the commit');
    return result;
  }

  #state(): ActorState {
    const state = this.#kernel.state(this.id);
    if (!state) throw new Error(`the job is lost; ${this.#reported()}`);
    return state;
  }

  #rowAfter(seq: number): JournalRow | undefined {
    return this.store.durable.journal(this.id, seq, 1)[0];
  }

  #compare(before: ActorState, foreseen: WhatIf, row: JournalRow | undefined): void {
    const after = this.#state();
    if (!row) {
      this.#demand(
        JSON.stringify(after.context) === JSON.stringify(before.context),
        'a refused event changes nothing',
      );
      return;
    }
    this.#demand(
      JSON.stringify(after.value) === JSON.stringify(foreseen.value),
      'the state is the one that was foreseen',
    );
    for (const [key, value] of Object.entries(foreseen.changes)) {
      this.#demand(
        matches(value, Reflect.get(this.context, key)),
        `${key} becomes what was foreseen`,
      );
    }
    const types = row.effects.map(({ type }) => type).join();
    this.#demand(
      types === foreseen.effects.map(({ type }) => type).join(),
      'the effects are those that were foreseen',
    );
  }

  #check(): void {
    const { context, at } = this;
    const [top] = at.split('.');
    this.#demand(
      LEAF_STATES.some((known) => known === at),
      `${at} is a legal state`,
    );
    this.#demand(
      this.#state().tags.includes('slot') === (top === 'working'),
      'the slot is held while it works, and only then',
    );
    const { waitsFor } = this.#kernel.why(this.id);
    this.#demand(waitsFor.length > 0, 'the job knows what it waits for');
    this.#demand(
      (context.parked === null) === (top !== 'parked'),
      'a parked job says why, and only a parked one',
    );
    this.#demand(
      at === this.#was || at !== 'working.inSession' || !isLimitOver(context, this.clock.now()),
      'no session begins once the time that it may work unattended is over',
    );
    const snapshot = this.store.durable.actor(this.id)?.snapshot ?? '{}';
    this.#demand(
      JSON.stringify(JSON.parse(snapshot).context) === JSON.stringify(context),
      'what is stored is what the chart left: no context is changed in place',
    );
    this.#was = at;
    this.#workflows.note(context);
    const missing = missingApprovals(
      context,
      at,
      this.store.rows.all('phase_visits', { job_id: this.id }),
      this.#workflows,
    );
    this.#demand(
      missing.length === 0,
      `no phase after a checkpoint begins without its approval (${missing})`,
    );
    if (at !== 'ended.complete') return;
    const open = context.workItems.filter(
      ({ status }) => status === 'pending' || status === 'in-progress',
    );
    this.#demand(open.length === 0, 'a complete job has no open work item');
    this.#demand(context.unread.messages === 0, 'a complete job has no unread message');
  }

  #demand(truth: boolean, sentence: string): void {
    if (!truth) throw new Error(`not true that ${sentence}; ${this.#reported()}`);
  }

  #reported(): string {
    return `${this.#name}: ${this.#trail.join(' > ')}`;
  }
}
