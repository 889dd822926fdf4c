import { readFileSync } from 'node:fs';
import { decideSubRuns } from '../../../demo/campaignDecisions.ts';
import {
  toDispatcherId,
  jobChart,
  type JobInput,
  toSubRunRow,
  subRunsChart,
  type SubRunsInput,
} from '../../../machines/index.ts';
import type { Kernel, Submission } from '../../../src/kernel/contract.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { Ports } from '../../../src/kernel/port.ts';
import type { DurableStore } from '../../../src/kernel/writer.ts';
import { createFaultPoints, type FaultPlan } from '../../../src/host/runner/faultPoints.ts';
import { Slots } from '../../../src/jobs/slots/slots.ts';
import { memoryStore } from '../memoryStore.ts';
import { parseCampaign } from '../../../src/workflows/definition/parseCampaign.ts';
import { campaignPorts, type CampaignWorld, PARENT_WORKFLOW } from '../agents/campaignAgents.ts';
import { campaignStage } from './campaignStage.ts';
import { SimulatedClock } from './simulatedClock.ts';

/** The parents of the two campaigns: the planned one, and the one that is written by hand. */
export const [FIRST, SECOND] = ['texts-job-1', 'texts-job-2'] as const;
/** Turns of the event loop after which a play that is not over hangs. */
const MOST_TURNS = 5_000;
/** Turns in which what the last commit asks for is carried out as well. */
const LAST_TURNS = 20;
/** The person looks once in so many turns. */
const PATIENCE = 5;
const SLOTS = 2;

const parentInput = (id: string): JobInput => ({
  id,
  type: 'campaign',
  tenantId: 'solo-test',
  workflowPath: 'workflows/campaign.md',
  workflow: PARENT_WORKFLOW,
  interactive: true,
  limits: { gateBlocks: 5, sessionsPerVisit: 10 },
  createdAt: 0,
  params: { repoSlug: 'texts', description: 'Texts.' },
});

/** The request that the demo makes of its file, as the runner starts it. */
function byHand(): Submission {
  const file = new URL('../../../demo/more.md', import.meta.url);
  const { job } = parseCampaign(readFileSync(file, 'utf8'), 'more.md');
  if (!job) throw new Error('demo/more.md is no campaign');
  const { subRuns, coordinator } = job;
  const graph = {
    names: subRuns.map(({ name }) => name),
    dependsOn: subRuns.map(({ dependsOn = [] }) => dependsOn),
    marks: 'p'.repeat(subRuns.length),
    attempts: subRuns.map(() => 1),
  };
  const finalized = {
    graph,
    cap: coordinator?.maxParallelSubRuns ?? 2,
    policy: coordinator?.failurePolicy ?? 'halt-on-failure',
  };
  const dispatcher: SubRunsInput = { parentJobId: SECOND, createdAt: 0, finalized };
  return {
    starts: [
      {
        chart: jobChart.id,
        id: SECOND,
        input: { ...parentInput(SECOND), beginsIn: 'awaiting-sub-runs' },
      },
      { chart: subRunsChart.id, id: toDispatcherId(SECOND), input: dispatcher },
    ],
    rows: subRuns.map((spec, n) => ({ op: 'put', ...toSubRunRow(SECOND, n, spec) })),
    allOrNothing: true,
  };
}

/**
 * Both campaigns of `npm run demo -- --campaign` in one process: its graphs, its agents' answers,
 * its person. Every effect is instant; the process dies at one fault point and is started again on
 * its store.
 */
export class CampaignPlay {
  readonly world: CampaignWorld = {
    store: memoryStore(),
    pullRequests: new Map(),
    prepared: 0,
  };
  readonly #clock = new SimulatedClock();
  #lives = 0;
  #kernel: Kernel | null = null;
  #busy = false;
  #failed: unknown;
  deaths = 0;
  readonly said: string[] = [];

  constructor(plan: Partial<FaultPlan> = {}) {
    this.#live({ dieAt: null, countFile: null, ...plan });
  }

  async toTheEnd(): Promise<void> {
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      await this.#turn(turn % PATIENCE === 0);
      if (this.#failed !== undefined) throw this.#failed;
      if (!this.#hasEnded(SECOND)) continue;
      for (let more = 0; more < LAST_TURNS; more++) await this.#turn(false);
      return;
    }
    throw new Error(`it hangs: ${this.said.join('; ')}`);
  }

  #hasEnded(id: string): boolean {
    return this.world.store.durable.actor(id)?.index.activity === 'ended';
  }

  async #turn(looks: boolean): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#clock.advance(10);
    const kernel = this.#kernel;
    if (!kernel || !looks || this.#busy) return;
    const life = this.#lives;
    this.#busy = true;
    this.#person(kernel)
      .catch((error: unknown) => {
        // A caller of a process that dies gets no answer, and looks again.
        if (life === this.#lives) this.#failed = error;
      })
      .finally(() => {
        if (life === this.#lives) this.#busy = false;
      });
  }

  async #person(kernel: Kernel): Promise<void> {
    const { durable } = this.world.store;
    const now = this.#hasEnded(FIRST) ? SECOND : FIRST;
    if (!durable.actor(now)) {
      await kernel.submit(
        now === FIRST
          ? { starts: [{ chart: jobChart.id, id: FIRST, input: parentInput(FIRST) }] }
          : byHand(),
      );
      return;
    }
    const service = campaignStage(kernel, this.world.store, () => this.#clock.now());
    await decideSubRuns(service, await service.job(now), (did) => this.said.push(did));
  }

  #live(plan: FaultPlan): void {
    this.#lives += 1;
    const life = this.#lives;
    const lives = () => life === this.#lives;
    const faults = createFaultPoints(plan, () => {
      if (!lives()) return;
      this.deaths += 1;
      this.#busy = false;
      this.#kernel = null;
      this.#live({ dieAt: null, countFile: null });
      throw new Error('the process has died');
    });
    const clock = {
      now: () => this.#clock.now(),
      at: (atMs: number, run: () => void) => this.#clock.at(atMs, () => lives() && run()),
    };
    const store = ofLife(this.world.store.durable, lives);
    faults.wrapCommits(store);
    const slots = new Slots({
      isShut: () => false,
      admissions: [],
      actors: this.world.store.actors,
      clock,
      limit: SLOTS,
      onError: () => {},
    });
    const kernel = createKernel({
      screen: null,
      store,
      charts: [jobChart, subRunsChart],
      followUp: slots,
      clock,
      onError: () => {},
      ports: listenToPorts(faults.wrapPorts<Ports>(campaignPorts(this.world, () => kernel)), lives),
    });
    void kernel.start().then(
      () => {
        if (!lives()) return;
        slots.start(kernel);
        this.#kernel = kernel;
      },
      () => undefined,
    );
  }
}

/** A process that has died writes nothing any more. */
const ofLife = (real: DurableStore, lives: () => boolean): DurableStore => ({
  claim: () => real.claim(),
  commit(batch) {
    if (!lives()) throw new Error('the process is gone');
    return real.commit(batch);
  },
  actor: (id) => real.actor(id),
  inbox: (...args) => real.inbox(...args),
  listPendingEffects: () => real.listPendingEffects(),
  listPendingMail: () => real.listPendingMail(),
  timers: (limit) => real.timers(limit),
  listTimers: (actor) => real.listTimers(actor),
  hasProgressed: (...args) => real.hasProgressed(...args),
  journal: (...args) => real.journal(...args),
  frames: (...args) => real.frames(...args),
});

/** Nothing of a process that has died is heard of. */
const listenToPorts = (ports: Ports, lives: () => boolean): Ports =>
  Object.fromEntries(
    Object.entries(ports).map(([type, port]) => [
      type,
      async (params: never, run: Parameters<typeof port>[1]) => {
        const outcome = await port(params, run).catch((error: unknown) => {
          if (lives()) throw error;
        });
        return lives() ? outcome : new Promise<never>(() => {});
      },
    ]),
  );
