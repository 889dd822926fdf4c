import type { DecidesQuestions } from '../policy/decider.ts';
import type { Executor } from '../session/executor.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { PluginModel } from '../schema/runner/plugin.ts';
import type { OpenAccount } from '../forge/account.ts';
import type { ScmForge } from '../forge/scmForge.ts';
import type { Tracker as BaseTracker, IssueComment } from '../forge/tracker.ts';
import type { GuardedRequest } from '../forge/guardedRequest.ts';
import type { VendorLogin } from './vendorLogin.ts';

/** What a plugin is given. It reads nothing else of the runner. */
export interface PluginContext {
  /** Its settings, checked against its manifest, defaults filled in. */
  config: Readonly<Record<string, string | number | boolean>>;
  clock: Clock;
  /**
   * Asks a URL. Addresses of this machine and its network are refused unless
   * `plugins.installed.<id>.allowHosts` names the host.
   */
  request: GuardedRequest;
}

/** Answer of a health check: `detail` is for people and holds no secret. */
export interface HealthAnswer {
  ok: boolean;
  detail: string;
}

/** Parts that every kind may have; the manifest lists the existing ones in `offers`. */
export interface PluginParts {
  /** Checks whether it could work now. Has 10 s. */
  healthcheck?(): Promise<HealthAnswer>;
}

/** Runs agent sessions. `id` and the ending of orphans are the host's. */
export interface PluginExecutor
  extends PluginParts,
    Pick<Executor, 'capabilities' | 'run'>,
    Partial<Pick<Executor, 'endOrphans' | 'lacks' | 'toolForm'>> {
  /** Models that a phase may name. Has 10 s. */
  models?(): Promise<PluginModel[]>;
  /** How a person logs in at its vendor. */
  login?: VendorLogin | undefined;
}

/** Holds pull requests. */
export type PluginForge = PluginParts & ScmForge;

export type { Issue, IssueComment } from '../forge/tracker.ts';

/** What a tracker plugin is given beside that. */
export interface TrackerContext extends PluginContext {
  /** For a tracker that is part of svc: left out = it gets no network. */
  remote?: {
    /** The way to an account; the same account always gets the same account client. */
    openAccount: OpenAccount;
    /**
     * Settings of another plugin that is part of svc, checked; null = it is not configured. Throws
     * SvcError for wrong ones.
     */
    readSettings(id: string): PluginContext['config'] | null;
  };
}

export type Tracker = PluginParts & BaseTracker;

/**
 * Answers questions about a job, such as how a finished phase has gone. One that cannot tell throws:
 * it never invents an answer.
 */
export type Decider = PluginParts & DecidesQuestions;

/**
 * What the conformance kit needs to know to try a plugin; cases whose sample is missing are left
 * out, and said so.
 */
export interface ExecutorSamples {
  /** Settings for the try. */
  config?: PluginContext['config'];
  /** A session that ends by itself within 10 s. */
  short?: { command?: readonly string[]; kickoff?: string };
  /** A session that continues until it is interrupted. */
  long?: { command?: readonly string[]; kickoff?: string };
  /** A session whose model takes no more requests. */
  quota?: { command?: readonly string[]; kickoff?: string };
  /** A session whose agent ends without a result. */
  death?: { command?: readonly string[]; kickoff?: string };
}

export interface TrackerSamples {
  /** Settings for the try. */
  config?: PluginContext['config'];
  /**
   * Key of an existing issue, and one of the statuses that it can get; without both only the
   * creation is tried.
   */
  issue?: string;
  status?: string;
  /**
   * The body of the delivery by which the server reports a new comment on that issue; for
   * `commentIn`. `own`: svc's account wrote it, else another person: the newest such comment on the
   * issue, or an invented one where it has none.
   */
  delivery?(comment: IssueComment, own: boolean): unknown;
}

export interface ScmSamples {
  /** Settings for the try. */
  config?: PluginContext['config'];
  /**
   * A repository for tests only: the kit pushes a branch to it, opens a pull request, comments,
   * and merges. Without it only the creation is tested.
   */
  repo?: string;
}

export interface ConfigSamples {
  /** Settings for the try. */
  config?: PluginContext['config'];
}

export interface ExecutorPlugin {
  kind: 'executor';
  create(context: PluginContext): PluginExecutor | Promise<PluginExecutor>;
  samples?: ExecutorSamples;
}

export interface ScmPlugin {
  kind: 'scm';
  create(context: PluginContext): PluginForge | Promise<PluginForge>;
  samples?: ScmSamples;
}

export interface TrackerPlugin {
  kind: 'tracker';
  create(context: TrackerContext): Tracker | Promise<Tracker>;
  samples?: TrackerSamples;
}

export interface DeciderPlugin {
  kind: 'decider';
  create(context: PluginContext): Decider | Promise<Decider>;
  samples?: ConfigSamples;
}

/** One plugin: its kind, how it is made, and samples for the conformance kit. */
export type Plugin = ExecutorPlugin | ScmPlugin | TrackerPlugin | DeciderPlugin;

export type PluginOf<Kind extends Plugin['kind']> = Extract<Plugin, { kind: Kind }>;

/**
 * The default export of a plugin's entry. Says nothing more than what kind it is: so the compiler
 * checks the rest.
 */
export const definePlugin = <const Kind extends Plugin['kind']>(
  plugin: PluginOf<Kind>,
): PluginOf<Kind> => plugin;
