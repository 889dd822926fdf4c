import { DEFAULT_RETENTION } from '../../src/base/settings/retention.ts';
import { NO_SANDBOX } from '../../src/base/agents/sandboxProfiles.ts';
import {
  DEFAULT_CALL_LIMITS,
  DEFAULT_LOOP_LIMITS,
  DEFAULT_START_LIMIT,
} from '../../src/base/limits/loopLimits.ts';
import type { SessionKey } from '../../src/contract/session/sessionRef.ts';
import type { ResolvedOverlay } from '../../src/jobs/workspace/jobOverlays.ts';
import type { RemoteForgeSettings } from '../../src/forges/remoteForgeSettings.ts';
import { fillConfigDefaults } from '../../src/host/config/mistakes/checkConfig.ts';
import { resolveDecisionSettings } from '../../src/host/config/settings/resolveDecisionSettings.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import type { CredentialPool } from '../../src/base/agents/credentialPool.ts';
import type { Forge } from '../../src/contract/forge/forge.ts';
import type { Batch } from '../../src/kernel/writer.ts';
import type { OpenStore } from '../../src/jobs/store/openStore.ts';
import type { Caps } from '../../src/base/spending/budgetScopes.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { memoryStore } from '../support/memoryStore.ts';
import type { AgentProcess, Hands } from './agents.ts';
import { SUNDAY_EVENING } from './capTruths.ts';
import { Chance } from './chance.ts';
import { SimulatedDisk } from './disk.ts';
import { SimulatedGit } from './git.ts';
import { Ledger } from './ledger.ts';
import type { Life } from './life.ts';
import { type End, play } from './script.ts';
import { PRICE } from './usageTruths.ts';

/** Lines of the trail that are kept for a failure's report. */
const TRAIL_LINES = 60;

/** What a simulation has in the place of the usual. */
interface Stage {
  overlay: ResolvedOverlay;
  runner: Pick<Settings['runner'], 'maxConcurrentJobs' | 'sessionMinutes'>;
  /** Aliases of models; default: none. */
  llm?: Settings['llm'];
  /** Hash of a job's files; default: they are not known. */
  work?(jobId: string): string;
  /** Rules about repetition; default: those of the product. */
  noProgress?: Settings['noProgress'];
  /** Rules about what agents do; left out: those of the product, for writes alone. */
  guardrails?: Settings['guardrails'];
  /** Whose comment the forge takes for an approval; default: no one's. */
  takesForApproval?(author: string): boolean;
  /** Whether agents can receive messages within a turn, and who at all; default: by chance. */
  folds?: boolean;
  steerable?(jobId: string): boolean;
  /** Forges beside the local one, as one life of the runner has them, and how they are used. */
  remote(life: Life): { forges: readonly Forge[]; settings: RemoteForgeSettings };
}

export interface WorldOptions {
  seed: number;
  /** Receives every line of the trail. */
  reported?: (line: string) => void;
  /** What agents do; default: the script of the simulation. */
  play?: (hands: Hands) => Promise<End>;
  /**
   * True: one job, agents that can all be talked to, and people who do so all the time; default
   * false.
   */
  talkative?: boolean;
  /**
   * Agents report the calls of their models: with every tool, or where their script asks a model;
   * default false.
   */
  spends?: boolean | 'asked';
  /** The disk of the runner fills and empties by chance; default false: it is not looked at. */
  fills?: boolean;
  /** Caps on what jobs may spend; people raise what has stopped a job. Default: none. */
  caps?: Caps;
  stage?: Stage;
  /** The account that agents use, by the provider of their phase; default: none is known. */
  pool?: (provider: string) => CredentialPool | null;
  /** Falsifies what is written, to prove that an invariant notices. */
  sabotage?: (batch: Batch) => Batch;
  /** What the runner believes that the caps are, to prove the same; default: what they are. */
  runnerCaps?: Caps;
}

/**
 * Everything that outlives a crash of the runner: the disk, the forge's repository, agents, people,
 * time.
 */
export class World {
  readonly seed: number;
  readonly chance: Chance;
  readonly clock: SimulatedClock;
  readonly caps: Caps;
  readonly isCapped: boolean;
  readonly startedAt: number;
  readonly store: OpenStore;
  readonly git = new SimulatedGit();
  readonly ledger = new Ledger();
  readonly settings: Settings;
  readonly play: (hands: Hands) => Promise<End>;
  readonly sabotage: (batch: Batch) => Batch;
  /** Agents that run, also those whose runner is gone. */
  readonly agents = new Set<AgentProcess>();
  /** Every start of the runner; `clean`: the one before it was stopped. */
  readonly starts: { at: number; clean: boolean }[] = [];
  /** When the store last refused to write, epoch ms. */
  lastStoreFailure = 0;
  /**
   * Slots in use since the last commit, and when all of them were in use for the last time, epoch
   * ms.
   */
  slots = 0;
  lastFull = 0;
  /** Until when nothing can be written to the forge, epoch ms. */
  outageUntil = 0;
  /**
   * Until when a job may be without its session, epoch ms: it has just ended, or could not be
   * started and is tried again.
   */
  readonly excused = new Map<string, number>();
  /** null = it is not looked at. */
  readonly disk: SimulatedDisk | null;
  readonly talkative: boolean;
  readonly spends: boolean | 'asked';
  readonly stage: Stage | null;
  readonly pool: (provider: string) => CredentialPool | null;
  /** Whether agents can receive messages within a turn. */
  readonly folds: boolean;
  /** False when everything goes well from now on. */
  stormy = true;
  /** The runner that runs now; null between a crash and the next start. */
  life: Life | null = null;
  /** What was found to be false. */
  readonly broken: string[] = [];
  readonly trail: string[] = [];
  counts = {
    commits: 0,
    crashes: 0,
    stops: 0,
    agents: 0,
    commands: 0,
    calls: 0,
    spent: 0,
    forward: 0,
  };
  readonly #steering: 'none' | 'some' | 'all';
  readonly #reported: ((line: string) => void) | undefined;

  constructor(options: WorldOptions) {
    const { seed, reported, sabotage } = options;
    this.seed = seed;
    this.chance = new Chance(String(seed));
    this.caps = options.caps ?? {};
    this.isCapped = options.caps !== undefined;
    this.clock = new SimulatedClock(options.caps ? SUNDAY_EVENING : undefined);
    this.startedAt = this.clock.now();
    this.store = memoryStore();
    this.stage = options.stage ?? null;
    this.pool = options.pool ?? (() => null);
    const settings = drawSettings(this.chance.named('settings'));
    const runner = { ...settings.runner, ...this.stage?.runner };
    const caps = options.runnerCaps ?? this.caps;
    const llm = this.stage?.llm ?? settings.llm;
    const noProgress = this.stage?.noProgress ?? settings.noProgress;
    const budgets = { ...settings.budgets, caps };
    const guardrails = this.stage?.guardrails ?? settings.guardrails;
    this.settings = { ...settings, llm, runner, noProgress, budgets, guardrails };
    this.play = options.play ?? play;
    this.sabotage = sabotage ?? ((batch) => batch);
    this.#reported = reported;
    this.disk = options.fills ? new SimulatedDisk(this, this.chance.named('disk')) : null;
    this.talkative = options.talkative ?? false;
    this.spends = options.spends ?? false;
    this.#steering = this.talkative
      ? 'all'
      : this.chance.named('steering').pick(['none', 'some', 'some']);
    this.folds = this.stage?.folds ?? this.chance.named('folds').is(0.5);
  }

  /** Whether this session can be talked to while it runs. */
  steerable({ jobId, visit, session }: SessionKey): boolean {
    if (this.stage?.steerable) return this.stage.steerable(jobId);
    if (this.#steering !== 'some') return this.#steering === 'all';
    return this.chance.named(`steerable ${jobId} ${visit}.${session}`).is(0.6);
  }

  /** A probability that is 0 when the storm is over. */
  storm(probability: number): boolean {
    return this.stormy && this.chance.is(probability);
  }

  excuse(jobId: string, ms: number): void {
    this.excused.set(jobId, this.clock.now() + ms);
  }

  note(line: string): void {
    const text = `${((this.clock.now() - this.startedAt) / 1000).toFixed(3).padStart(9)}  ${line}`;
    this.#reported?.(text);
    this.trail.push(text);
    if (this.trail.length > TRAIL_LINES) this.trail.shift();
  }

  /** Something that must never be. */
  breaks(sentence: string): void {
    this.broken.push(sentence);
    this.note(`BROKEN ${sentence}`);
  }
}

const drawSettings = (chance: Chance): Settings => ({
  home: '/sim',
  configFile: '/sim/config.json',
  version: '0.0.0',
  paths: {
    workingDir: '/sim/work',
    stateDb: ':memory:',
    tokenFile: '/sim/runner.token',
    blobs: '/sim/blobs',
    intelligenceDir: '/sim/intelligence',
  },
  baseIntelligence: '/sim/base',
  tenant: { id: 'solo-sim', displayName: 'Simulation', overlay: { kind: 'none' } },
  cloud: {
    url: '',
    token: '',
    name: 'here',
    labels: [],
    accept: null,
    lostWork: 'continue',
    wipRef: false,
    adoptSlots: 0,
  },
  llm: { defaultProvider: 'command', aliases: {} },
  runner: {
    maxConcurrentJobs: chance.int(1, 3),
    sessionMinutes: 5,
    sessionOutputBytes: 1_000_000,
    stopGraceSeconds: 5,
    minFreeDiskMb: 1024,
    gateBlocks: 3,
    ...NO_SANDBOX,
  },
  server: { host: '127.0.0.1', port: 0, auth: 'off' },
  forges: { local: { repos: {} } },
  mode: 'local',
  coordination: { maxParallelSubRuns: null },
  plugins: {},
  coachMode: { enabled: true },
  intake: { toolsEnabled: true },
  invariants: [],
  retention: { everyMs: null, ...DEFAULT_RETENTION },
  backup: { everyMs: null, folder: null, copies: 1, work: 'none' },
  noProgress: {
    laps: DEFAULT_LOOP_LIMITS,
    starts: DEFAULT_START_LIMIT,
    session: DEFAULT_CALL_LIMITS,
  },
  guardrails: { enabled: true, rules: [] },
  proposals: { routing: { strategy: 'path' } },
  decision: resolveDecisionSettings(fillConfigDefaults({}).decision, {}),
  budgets: { prices: [PRICE], caps: {}, headlessFactor: 1, unpriced: { input: 15, output: 75 } },
  mcp: { servers: {}, inheritClaude: false, claudeFile: '/nowhere/.claude.json' },
});
