import { pino } from 'pino';
import type { Workplace } from '../../src/jobs/workspace/workplace.ts';
import type { Clock } from '../../src/base/time/clock.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { sha256 } from '../../src/base/system/ids/ids.ts';
import { createRunner, type RunningRunner } from '../../src/host/runner/runner.ts';
import { simulatedExecutor } from './agents.ts';
import { createForges } from '../../src/providers/forges.ts';
import type { SimulatedDisk } from './disk.ts';
import { createSimulatedForge } from './forge.ts';
import { OVERLAYS } from './overlays.ts';
import { ShakyStore } from './shakyStore.ts';
import { SimulatedTools } from './tools.ts';
import type { World } from './world.ts';
import { noRunnerGates } from '../support/standIns/noRunnerGates.ts';

/** What the runner may report as an error, because the world made it happen. */
const PROVOKED = /simulated|stopping|has stopped|could not be (?:written|saved)|newer owner/i;

/** One process of the runner, from its start to its end: a crash forgets all that is in here. */
export class Life {
  readonly world: World;
  readonly number: number;
  readonly runner: RunningRunner;
  readonly tools: SimulatedTools;
  /** Epoch ms at which the jobs were back; null before. */
  readySince: number | null = null;
  alive = true;
  /** Jobs that are followed in this life. */
  readonly followed = new Set<string>();
  /** It was stopped in good order. */
  stopped = false;
  /** Rejects when the process ends. */
  readonly end: Promise<never>;
  #ended: (error: Error) => void = () => {};

  constructor(world: World, number: number) {
    this.world = world;
    this.number = number;
    this.end = new Promise((_resolve, reject) => {
      this.#ended = reject;
    });
    this.end.catch(() => {});
    const chance = world.chance.named(`life ${number}`);
    const ids = { next: () => chance.id(), secret: () => chance.id() };
    const clock: Clock = {
      now: () => world.clock.now(),
      at: (atMs, run) => world.clock.at(Math.ceil(atMs), () => this.alive && run()),
    };
    this.tools = new SimulatedTools(this, ids);
    const moment = () => this.moment(chance.wait(0, 300));
    const remote = world.stage?.remote(this);
    const executor = simulatedExecutor(this, chance.named('executor'));
    this.runner = createRunner({
      ...noRunnerGates,
      settings: world.settings,
      store: { ...world.store, durable: new ShakyStore(this, chance.named('store')) },
      clock,
      ...(world.disk ? { freeSpace: this.#freeSpace(world.disk, moment) } : {}),
      ids,
      log: pino(
        { level: 'error', base: null, timestamp: false },
        { write: (line) => this.#reported(line) },
      ),
      executors: () => [executor],
      forges: createForges([
        createSimulatedForge({
          git: world.git,
          rows: world.store.rows,
          moment,
          ...(world.stage?.takesForApproval
            ? { takesForApproval: world.stage.takesForApproval }
            : {}),
          trouble: () => {
            // Now and then it is gone for longer than writes are tried again.
            if (world.storm(0.004))
              world.outageUntil = world.clock.now() + chance.int(5_000, 20_000);
            this.#trouble(
              chance.is(0.03) || world.clock.now() < world.outageUntil,
              'the forge does not answer',
            );
          },
        }),
        ...(remote?.forges ?? []),
      ]),
      ...(remote ? { remote: remote.settings } : {}),
      tools: this.tools,
      baseUrl: () => '',
      hostEnv: {},
      binDir: '/sim/bin',
      workplace: this.#workplace(moment),
      blobs: {
        put: async (bytes) => ({ sha256: sha256(bytes), size: bytes.byteLength }),
        putPieces: () => Promise.reject(new Error('no files here')),
        path: (hash) => `/sim/blobs/${hash}`,
        bring: async () => {},
        page: async () => ({ text: 'A plan.', nextOffset: null }),
        listAll: async () => ({ hashes: [], others: [] }),
        async *listElsewhere() {},
        beginCleanup: () => {},
        drop: () => true,
      },
      defer: (flush) => clock.at(clock.now() + chance.wait(0, 4), flush),
    });
  }

  get ready(): boolean {
    return this.alive && this.readySince !== null;
  }

  /** Some time in this process; one that has died waits forever. */
  moment(ms: number): Promise<void> {
    const { clock } = this.world;
    return new Promise((resolve) => {
      clock.at(clock.now() + ms, () => this.alive && resolve());
    });
  }

  async start(): Promise<void> {
    try {
      await this.runner.start();
      this.readySince = this.world.clock.now();
      this.world.note(`life ${this.number} is ready`);
    } catch (error) {
      // As the program does: a runner that cannot start ends.
      if (!this.alive) return;
      this.world.note(`life ${this.number} could not start: ${error}`);
      this.die();
    }
  }

  /** The process ends at this instant, as by SIGKILL. */
  die(): void {
    if (!this.alive) return;
    this.alive = false;
    this.world.life = null;
    this.#ended(new Error('simulated: the process is gone'));
  }

  async stop(): Promise<void> {
    this.readySince = null;
    await this.runner.stop();
    this.stopped = true;
    this.die();
  }

  #trouble(happens: boolean, what: string): void {
    if (happens && this.world.stormy) throw new Error(`simulated: ${what}`);
  }

  #freeSpace(disk: SimulatedDisk, moment: () => Promise<void>) {
    return async (): Promise<number> => {
      await moment();
      this.#trouble(disk.isUnreadable(), 'the disk cannot be read');
      return disk.free();
    };
  }

  #workplace(moment: () => Promise<void>): Workplace {
    const { world } = this;
    const jobDir = (jobId: string) => `/sim/work/${jobId}`;
    const chance = world.chance.named(`life ${this.number} workplace`);
    return {
      jobDir,
      overlayDir: (jobId) => `${jobDir(jobId)}/_intelligence`,
      forgetSecrets: async () => {},
      keepAgentSession: async () => {},
      agentSession: async () => null,
      noteKickoffRead: async () => {},
      kickoffRead: async () => null,
      contractsDir: (jobId) => `${jobDir(jobId)}/contracts`,
      async overlay() {
        await moment();
        if (world.stage) return world.stage.overlay;
        if (!world.stormy || chance.is(0.96)) return OVERLAYS.usual;
        return chance.is(0.5) ? OVERLAYS.shorter : OVERLAYS.broken;
      },
      removeStaleLocks: async () => [],
      keepLayers: async () => null,
      readKeptOverlay: async () => null,
      removeOverlay: async () => {},
      furnish: async () => {
        await moment();
        this.#trouble(chance.is(0.03), 'the disk is full');
      },
      checkout: async (jobId) => {
        await moment();
        this.#trouble(chance.is(0.03), 'the clone was cut off');
        if (world.stormy && chance.is(0.005))
          throw new SvcError('not-found', 'simulated: the base branch is gone');
        return { dir: 'shop', absDir: `${jobDir(jobId)}/shop` };
      },
      checkoutFacts: async () => ({ branch: 'main', checks: ['npm test'] }),
      hasCheckout: () => true,
      hasLostWork: () => false,
      forgetLostWork: async () => {},
      checkoutGaps: async () => ({
        submodules: { count: 0, examples: [] },
        copied: { count: 0, examples: [] },
        filtered: new Map(),
        isShallow: false,
      }),
      async work(jobId) {
        const hash = world.stage?.work?.(jobId) ?? null;
        return hash === null ? null : { hash, changed: null };
      },
      async session({ jobId, visit, session }) {
        await moment();
        return { dir: `${jobDir(jobId)}/_sessions/${visit}.${session}`, env: {} };
      },
    };
  }

  #reported(line: string): void {
    if (!this.alive || PROVOKED.test(line)) return;
    this.world.breaks(
      `the runner reports only errors that the world has made; it reported ${line.trim()}`,
    );
  }
}
