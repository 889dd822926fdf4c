import type { Tables } from '../../../src/contract/records/tables.ts';
import {
  toDispatcherId,
  type JobContext,
  type JobPorts,
  jobChart,
  type SubRunsContext,
  subRunsChart,
} from '../../../machines/index.ts';
import { benchSettings } from '../../../bench/benchSettings.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { Kernel } from '../../../src/kernel/contract.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { StopReason } from '../../../src/base/jobs/stopReasons.ts';
import type { EffectOutcome, EffectRun, Port } from '../../../src/kernel/port.ts';
import { listLeafPaths } from '../../../src/base/json/listLeafPaths.ts';
import type { Batch, DurableStore } from '../../../src/kernel/writer.ts';
import { dispatchSubRun } from '../../../src/sessions/subRuns/dispatchSubRun.ts';
import { stopSubRun } from '../../../src/sessions/subRuns/stopSubRun.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { type Campaigns, createCampaigns } from '../../../src/sessions/subRuns/campaigns.ts';
import { createCoordinationPart } from '../../../src/sessions/subRuns/createCoordinationPart.ts';
import { createJobCreator } from '../../../src/jobs/create/createJob.ts';
import { KernelHandle } from '../../../src/kernel/kernelHandle.ts';
import { JobIds } from '../../../src/jobs/create/jobIds.ts';
import { Requests } from '../../../src/jobs/commands/requests.ts';
import { Slots } from '../../../src/jobs/slots/slots.ts';
import type { AgentJob } from '../../../src/contract/job/agentJob.ts';
import { NO_TRACKERS } from '../../../src/providers/trackers.ts';
import { KnownRepositories } from '../../../src/jobs/create/knownRepositories.ts';
import { createForges } from '../../../src/providers/forges.ts';
import { createSimulatedForge } from '../forge.ts';
import { SimulatedGit } from '../git.ts';
import { createListedJobReader } from '../../../src/jobs/views/createJobStates.ts';
import { toJobSummary } from '../../../src/jobs/views/list/jobSummary.ts';
import { afterCommit, afterSteps } from './campaignTruths.ts';
import type { CampaignWorld } from './campaignWorld.ts';
import { OVERLAY } from './lanes.ts';
import { type Hands, play } from './sessions.ts';
import { BlobStore } from '../../../src/jobs/workspace/blobs.ts';
import { noJobGates, noMissingRepositories } from '../../support/standIns/noJobGates.ts';

/** What the kernel may report because the world made it happen. */
const PROVOKED = /simulated|stopping/i;

/**
 * One process: kernel, both charts and the runner's own campaign code, with ports that need nothing
 * but time.
 */
export class CampaignLife {
  readonly world: CampaignWorld;
  readonly number: number;
  readonly kernel: Kernel;
  readonly campaigns: Campaigns;
  readonly create: ReturnType<typeof createJobCreator>;
  alive = true;
  ready = false;
  #calls = 0;
  readonly #sessions = new Map<string, () => void>();
  readonly #coordinate: (scope: {
    jobId: string;
    visit: number;
    session: number;
  }) => Pick<AgentJob, 'coordinate' | 'subRunProblems'>;

  constructor(world: CampaignWorld, number: number) {
    this.world = world;
    this.number = number;
    const { store, plan } = world;
    const clock = {
      now: () => world.clock.now(),
      at: (atMs: number, run: () => void) => world.clock.at(atMs, () => this.alive && run()),
    };
    const { now } = clock;
    const forges = createForges([
      createSimulatedForge({
        git: new SimulatedGit(),
        rows: store.rows,
        moment: async () => {},
        trouble: () => {},
      }),
    ]);
    const overlay = async () => OVERLAY;
    const workplace = {
      overlay,
      jobDir: (jobId: string) => `/sim/${jobId}`,
      overlayDir: (jobId: string) => `/sim/${jobId}/_intelligence`,
      forgetSecrets: async () => {},
      keepAgentSession: async () => {},
      agentSession: async () => null,
      noteKickoffRead: async () => {},
      kickoffRead: async () => null,
      contractsDir: (jobId: string) => `/sim/${jobId}/contracts`,
      removeStaleLocks: async () => [],
      keepLayers: async () => null,
      readKeptOverlay: async () => null,
      removeOverlay: async () => {},
      furnish: async () => {},
      checkout: async () => ({ dir: 'shop', absDir: '/sim/shop' }),
      checkoutFacts: async () => ({ branch: null, checks: [] }),
      hasCheckout: () => true,
      hasLostWork: () => false,
      forgetLostWork: async () => {},
      checkoutGaps: async () => ({
        submodules: { count: 0, examples: [] },
        copied: { count: 0, examples: [] },
        filtered: new Map(),
        isShallow: false,
      }),
      work: async () => null,
      session: async () => ({ dir: '/sim', env: {} }),
    };
    const requests = new Requests(
      store.rows,
      async (rows) => void (await this.kernel.submit({ rows })),
      now,
    );
    const ids = new JobIds((id) => store.durable.actor(id) !== undefined);
    const readState = (jobId: string): ActorState<JobContext> => {
      const state = this.kernel.state(jobId);
      if (!state) throw new SvcError('not-found', `Job ${jobId} does not exist.`);
      return state as ActorState<JobContext>;
    };
    const settings = { ...benchSettings('/sim'), coordination: { maxParallelSubRuns: plan.cap } };
    const kernel = new KernelHandle<Tables>();
    this.campaigns = createCampaigns({
      trackers: NO_TRACKERS,
      repositories: new KnownRepositories({ forges, clock }),
      clock,
      kernel,
      rows: store.rows,
      requests,
      forges,
      ids,
      enforcement: noJobGates.enforcement,
      guardrails: noJobGates.guardrails,
      workplace,
      now,
      readState,
      settings,
      readRow: (jobId) => store.durable.actor(jobId),
      readKeptLayers: () => null,
      summary: (jobId) => toJobSummary(createListedJobReader(store.jobs)(jobId)),
      lastOutputs: { toLastOutputMember: () => ({}) },
    });
    const onError = (where: string, error: unknown) => {
      const text = `${where}: ${error}`;
      if (this.alive && !PROVOKED.test(text))
        world.breaks(`the kernel reports only errors that the world has made; it reported ${text}`);
    };
    const slots = new Slots({
      isShut: () => false,
      admissions: [],
      actors: store.actors,
      clock,
      limit: plan.slots,
      onError: (error) => onError('slots', error),
    });
    this.kernel = createKernel({
      screen: null,
      store: this.#shaky(store.durable),
      charts: [jobChart, subRunsChart],
      followUp: slots,
      clock,
      defer: (flush) => clock.at(now() + world.chance.wait(0, 4), flush),
      onError,
      ports: {
        ...this.#jobPorts(),
        'subRun.dispatch': this.#slow(dispatchSubRun(this.campaigns)),
        'subRun.stop': this.#slow(stopSubRun(this.campaigns)),
      },
    });
    kernel.attach(this.kernel);
    this.kernel.onCommit(({ steps }) => afterSteps(world, steps));
    const tickets = {
      trackers: NO_TRACKERS,
      forges,
      clock,
      sites: [],
      repositories: noMissingRepositories,
    };
    this.create = createJobCreator({
      ...noJobGates,
      settings,
      workplace,
      kernel: this.kernel,
      rows: store.rows,
      blobs: new BlobStore(settings.paths.blobs),
      forges,
      tickets,
      requests,
      ids,
      now,
    });
    this.#coordinate = (scope) =>
      createCoordinationPart(
        {
          kernel: this.kernel,
          rows: store.rows,
          forges,
          settings,
          campaigns: this.campaigns,
          runAdvisor: noJobGates.runAdvisor,
          overlay,
          readState,
        },
        scope,
        async (_refusal, event) => `${event.type} is refused`,
      );
    void this.kernel.start().then(
      () => {
        slots.start(this.kernel);
        this.ready = true;
      },
      () => this.die('it could not start'),
    );
  }

  get dispatcher(): ActorState<SubRunsContext> | undefined {
    const { parentId } = this.world;
    return parentId === null
      ? undefined
      : (this.kernel.state(toDispatcherId(parentId)) as ActorState<SubRunsContext> | undefined);
  }

  job(jobId: string): ActorState<JobContext> | undefined {
    return this.kernel.state(jobId) as ActorState<JobContext> | undefined;
  }

  /** The process ends at this instant, as by SIGKILL. */
  die(why: string): void {
    if (!this.alive) return;
    const { world } = this;
    this.alive = false;
    world.life = null;
    world.counts.crashes += 1;
    world.note(`life ${this.number} dies: ${why}`);
    world.later(world.chance.wait(10, 8_000), () => {
      world.life = new CampaignLife(world, this.number + 1);
    });
  }

  /** Some time in this process; in one that has died it never ends. */
  sleep(ms: number): Promise<void> {
    const { clock } = this.world;
    return new Promise((resolve) => {
      clock.at(clock.now() + ms, () => this.alive && resolve());
    });
  }

  #shaky(real: DurableStore): DurableStore {
    const { world } = this;
    const write = (batch: Batch): undefined => {
      if (!this.alive) throw new Error('simulated: the process is gone');
      if (world.storm(0.003)) {
        this.die('before a commit');
        throw new Error('simulated: died before the commit');
      }
      if (world.storm(0.006)) throw new Error('simulated: the disk is full');
      if (real.commit(batch)) throw new Error('the simulation wants a store that writes at once');
      afterCommit(world, batch);
      if (world.storm(0.003)) {
        this.die('after a commit');
        throw new Error('simulated: died after the commit');
      }
      return undefined;
    };
    return {
      claim: () => real.claim(),
      // Taken at once, and sometimes answered late.
      commit: (batch) => {
        write(batch);
        if (!world.storm(0.1)) return undefined;
        return this.sleep(world.chance.wait(1, 300)).then(() => undefined);
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
    };
  }

  #slow<Params>(port: Port<Params>): Port<Params> {
    return async (params, run) => {
      const { world } = this;
      await this.sleep(world.chance.wait(0, 3_000));
      if (world.storm(0.03)) throw new Error('simulated: the disk is full');
      const outcome = await port(params, run);
      await this.sleep(world.chance.wait(0, 300));
      return outcome;
    };
  }

  #jobPorts(): { [Name in keyof JobPorts]: Port<JobPorts[Name]> } {
    const { world } = this;
    return {
      'phase.prepare': this.#slow(async ({ visit, workflowPath }) => {
        const { table } = OVERLAY.overlay.workflow(workflowPath);
        if (!table) throw new Error(`${workflowPath} is no workflow`);
        return {
          events: [
            { type: 'phase.prepared', visit, workflow: table, overlayHash: 'h', checkout: null },
          ],
        };
      }),
      'phase.judge': async () => {},
      'session.open': async ({ visit, session, phase }, run) => {
        const createEndOutcome = (stopReason: StopReason, error: string | null): EffectOutcome => ({
          events: [{ type: 'session.ended', visit, session, stopReason, error, usage: null }],
        });
        const state = this.kernel.state(run.actorId);
        const context = state?.context as JobContext | undefined;
        // As the real port: a session that its job has left behind is not run again.
        const runs = listLeafPaths(state?.value ?? '').includes('working.inSession');
        if (!runs || context?.visit !== visit || context.session !== session)
          return createEndOutcome('interrupted', null);
        const interrupted = new Promise<'interrupted'>((resolve) => {
          this.#sessions.set(run.actorId, () =>
            world.later(world.chance.wait(10, 5_000), () => resolve('interrupted')),
          );
        });
        const end = await Promise.race([
          interrupted,
          play(this.#hands(run, visit, session, phase.name)),
        ]);
        this.#sessions.delete(run.actorId);
        return typeof end === 'string'
          ? createEndOutcome(end, null)
          : createEndOutcome('error', end.error);
      },
      'message.offer': async () => {},
      'session.stop': async (_params, { actorId }) => this.#sessions.get(actorId)?.(),
      'forge.write': async ({ key, operation }) => ({
        events: [{ type: 'forge.wrote', key, operation, ok: false, pr: null, result: {} }],
      }),
    };
  }

  #hands({ actorId: jobId }: EffectRun, visit: number, session: number, phase: string): Hands {
    const port = this.#coordinate({ jobId, visit, session });
    const { world } = this;
    return {
      jobId,
      visit,
      phase,
      world,
      chance: world.chance.named(`session ${jobId} ${visit}.${session}`),
      sleep: (ms) => this.sleep(ms),
      coordinate: (type, more, command) => {
        this.#calls += 1;
        return port.coordinate(
          { type: `tool.${type}`, ...more },
          command,
          `life ${this.number}, call ${this.#calls}`,
        );
      },
      problems: () => port.subRunProblems(),
      escalate: async (message) =>
        void (await this.kernel.send(jobId, { type: 'tool.escalate', visit, session, message })),
      known: () => this.dispatcher?.context.graph.names ?? [],
    };
  }
}
