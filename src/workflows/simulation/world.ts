import { waitForNextTurn } from '../../base/concurrency/waitForNextTurn.ts';
import {
  jobChart,
  subRunsChart,
  type JobContext,
  type JobInput,
  type JobPorts,
  type SubRunsPorts,
} from '../../../machines/index.ts';
import type { DurableEvent } from '../../kernel/chart.ts';
import type { Kernel, Send, KernelClock } from '../../kernel/contract.ts';
import { createKernel } from '../../kernel/kernel.ts';
import type { EffectOutcome, Port } from '../../kernel/port.ts';
import { listLeafPaths } from '../../base/json/listLeafPaths.ts';
import { MemoryStore } from './memoryStore.ts';
import { toMoments, type Moment } from './timeline.ts';

/** A clock that moves only when it is set; timers run in order. */
class SimulationClock implements KernelClock {
  #now: number;
  #timers: { at: number; run: () => void }[] = [];

  constructor(startMs: number) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  at(atMs: number, run: () => void): () => void {
    const timer = { at: atMs, run };
    this.#timers = [...this.#timers, timer].sort((a, b) => a.at - b.at);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  moveTo(atMs: number): void {
    for (let next = this.#timers[0]; next && next.at <= atMs; next = this.#timers[0]) {
      this.#timers.shift();
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = Math.max(this.#now, atMs);
  }
}

type AllPorts = JobPorts & SubRunsPorts;

/** An effect that the charts have requested and that has no answer yet. */
export type PendingEffect = {
  [Type in keyof AllPorts]: {
    type: Type;
    params: AllPorts[Type];
    actor: string;
    /** Time of the request, epoch ms. */
    since: number;
    answer: (outcome?: EffectOutcome) => void;
  };
}[keyof AllPorts];

/** Creation time of every simulated job: a day without a change of the clocks. */
const START = Date.UTC(2026, 0, 1, 9);

export const JOB_ID = 'simulated-job';

/** The job's real chart in the real kernel, over a store in memory; its ports wait for answers. */
export class World {
  readonly clock = new SimulationClock(START);
  readonly store = new MemoryStore();
  readonly timeline: Moment[] = [];
  readonly #kernel: Kernel;
  #asked: PendingEffect[] = [];
  #error: unknown = null;

  constructor() {
    const port =
      <Type extends keyof AllPorts>(type: Type): Port<AllPorts[Type]> =>
      (params, { actorId }) =>
        new Promise((resolve) => {
          const pendingEffect = {
            type,
            params,
            actor: actorId,
            since: this.clock.now(),
            answer: resolve,
          } as PendingEffect;
          pendingEffect.answer = (outcome) => {
            this.#asked = this.#asked.filter((other) => other !== pendingEffect);
            resolve(outcome);
          };
          this.#asked.push(pendingEffect);
        });
    const ports = {
      'phase.prepare': port('phase.prepare'),
      'session.open': port('session.open'),
      'message.offer': port('message.offer'),
      'phase.judge': port('phase.judge'),
      'session.stop': port('session.stop'),
      'forge.write': port('forge.write'),
      'subRun.dispatch': port('subRun.dispatch'),
      'subRun.stop': port('subRun.stop'),
    } satisfies { [Type in keyof AllPorts]: Port<AllPorts[Type]> };
    this.#kernel = createKernel({
      store: this.store,
      charts: [jobChart, subRunsChart],
      screen: null,
      ports,
      clock: this.clock,
      defer: queueMicrotask,
      onError: (_where, error) => {
        this.#error ??= error;
      },
    });
    this.#kernel.onCommit((notice) => this.timeline.push(...toMoments(notice, JOB_ID, START)));
  }

  async begin(input: Omit<JobInput, 'id' | 'createdAt'>): Promise<void> {
    await this.#kernel.start();
    await this.#kernel.submit({
      starts: [
        {
          chart: jobChart.id,
          id: JOB_ID,
          input: { ...input, id: JOB_ID, createdAt: START } satisfies JobInput,
        },
      ],
    });
    await this.#settle();
  }

  get context(): JobContext {
    return this.#state().context as JobContext;
  }

  get at(): string {
    return listLeafPaths(this.#state().value).join(' & ');
  }

  get elapsed(): number {
    return this.clock.now() - START;
  }

  get asked(): readonly PendingEffect[] {
    return this.#asked;
  }

  waitsFor(): string[] {
    return this.#kernel.why(JOB_ID).waitsFor;
  }

  can(event: DurableEvent): boolean {
    return this.#kernel.can(JOB_ID, event);
  }

  /** Sends events in one commit; all are accepted or none. null = accepted, else why not. */
  async send(...sends: Send[]): Promise<string | null> {
    const submission = await this.#kernel.submit({ sends, allOrNothing: true });
    await this.#settle();
    const refusal = submission.sends.find((sendResult) => !sendResult.accepted);
    if (!refusal || refusal.accepted) return null;
    const says = refusal.refusal.guards.map(({ says: sentence }) => sentence).join(', and ');
    return says === ''
      ? `it is not possible in ${refusal.refusal.state.join(' & ')}`
      : `this is only possible if ${says}`;
  }

  /** Advances the time, at least to `ms` after `since`, and answers. */
  async answer(pendingEffect: PendingEffect, ms: number, ...events: DurableEvent[]): Promise<void> {
    this.clock.moveTo(pendingEffect.since + ms);
    await this.#settle();
    pendingEffect.answer({ events });
    await this.#settle();
  }

  async pass(ms: number): Promise<void> {
    this.clock.moveTo(this.clock.now() + ms);
    await this.#settle();
  }

  async #settle(): Promise<void> {
    // A commit may deliver mail, whose commit requests effects: three rounds are always enough.
    for (let round = 0; round < 3; round++) {
      await waitForNextTurn();
      await this.#kernel.awaitFlushed();
    }
    if (this.#error !== null) throw this.#error;
  }

  #state() {
    const state = this.#kernel.state(JOB_ID);
    if (!state) throw new Error('The simulated job does not exist');
    return state;
  }
}
