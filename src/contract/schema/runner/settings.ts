import type { LogLevel } from '../../../base/settings/logLevels.ts';
import type { CallLimits, LoopLimit, LoopLimits } from '../../../base/limits/loopLimits.ts';
import type { Caps } from '../../../base/spending/budgetScopes.ts';
import type { SandboxMode, SandboxProfile } from '../../../base/agents/sandboxProfiles.ts';
import type { RetentionKind, RetentionRule } from '../../../base/settings/retention.ts';
import type { GuardrailEntry } from '../policy/guardrail.ts';
import type { DecisionSite, FlagThresholds } from '../policy/decision.ts';
import type { NotificationSettings } from './notificationSettings.ts';
import type { TraceSettings } from './traceSettings.ts';
import type { TriggerRule } from '../forge/trigger.ts';
import type { CheckoutSettings } from './checkoutSettings.ts';
import type { ScheduleRule } from './schedule.ts';

/** Alias of a model, e.g. `planning`. */
export interface ModelAlias {
  provider: string;
  model: string;
  reasoningEffort?: string;
  /** Alias with which a phase begins while this one's pool is exhausted; left out = it waits. */
  fallback?: string;
}

/** What a phase is run with. */
export interface PhaseModel {
  /** Executor plugin id. */
  provider: string;
  /** Model id as the provider names it; null = the executor's choice. */
  model: string | null;
  /** In the provider's own words; null = the executor's choice. */
  reasoningEffort: string | null;
}

/** Settings of one plugin; `config` is checked against its manifest. */
export interface PluginSettings {
  /** Default true. */
  enabled?: boolean;
  config?: Readonly<Record<string, unknown>>;
  /** Hosts of this machine or its network that the plugin may ask; default none. */
  allowHosts?: readonly string[];
}

/** A price of `budgets.prices`: dollars for a million tokens. */
export interface OwnPrice {
  /** Name of the model, in which `*` is any text. */
  model: string;
  /** Beginning of the endpoint's address; left out = any. */
  endpoint?: string;
  input: number;
  output: number;
  /** Read from a cache, and written to one for five minutes and for an hour; default: as input. */
  cached?: number;
  write?: number;
  write1h?: number;
}

/** A tenant layer that is read from a git repository elsewhere. */
export interface GitRemoteOverlay {
  kind: 'gitRemote';
  /** `https://`, `http://`, `ssh://` or `file://`. Without a password. */
  url: string;
  /** Branch or whole commit sha; null = the default branch. */
  ref: string | null;
  /** Folder in the repository; null = its root. */
  path: string | null;
  /** Login of https. The token is a secret; empty = none. */
  username: string;
  token: string;
}

/** How sessions are confined: `runner.sandbox` and its kin. */
export interface SandboxSettings {
  /** Default off. */
  sandbox: SandboxMode;
  /** `any`: sandboxCommand where there is one, else the sandbox runtime, else bubblewrap. Default any. */
  sandboxProfile: SandboxProfile | 'any';
  /** Command line that programs are started behind; `{job}`, `{cwd}` and `{home}` are filled in. */
  sandboxCommand: readonly string[];
  /** Hosts that sessions may ask, beside those of their models and tool servers. */
  sandboxHosts: readonly string[];
}

type DecisionMode = 'off' | 'shadow' | 'live';

/** The decision layer, with what the environment says where the file is silent. */
export interface DecisionSettings {
  mode: DecisionMode;
  /** Id of the provider. */
  provider: string;
  /** Wire format of the endpoint; only of the provider `model`. */
  api: 'anthropic' | 'openai';
  /** A secret; empty = none. */
  apiKey: string;
  /** null = the provider's own. */
  baseUrl: string | null;
  model: string;
  timeoutMs: number;
  overseer: {
    scope: 'all' | 'campaigns' | 'off';
    onFlag: 'park' | 'flag-only';
    thresholds: FlagThresholds;
  };
  /** Sites without a mode of their own have `mode`. */
  sites: Partial<Record<DecisionSite, DecisionMode | undefined>>;
}

/**
 * Everything that the runner is built from: the config file with its defaults, the environment and
 * the flags joined.
 */
export interface Settings {
  /** `SVC_HOME`, default `~/.svc`. */
  home: string;
  configFile: string;
  version: string;
  /** `hybrid` where the config has cloud.url and cloud.token together. */
  mode: 'local' | 'hybrid';
  paths: {
    workingDir: string;
    stateDb: string;
    tokenFile: string;
    blobs: string;
    /**
     * `intelligence.dir`, default `<home>/intelligence`: checkout for authoring tenant
     * intelligence.
     */
    intelligenceDir: string;
  };
  /** Folder of the base layer that ships with svc. */
  baseIntelligence: string;
  tenant: {
    /** `solo-<host>`, and `team-<id>` while the runner is paired with a team. */
    id: string;
    displayName: string;
    /** cloudBlob: that of the team, from the control plane that the runner is paired with. */
    overlay:
      | { kind: 'none' }
      | { kind: 'localDir'; path: string }
      | { kind: 'cloudBlob' }
      | GitRemoteOverlay;
  };
  /** What connects the runner to the control plane of a team. */
  cloud: {
    /** Empty = none; both are needed. */
    url: string;
    token: string;
    /** Name of the runner in the team. */
    name: string;
    labels: string[];
    /** Whose dispatches run here; null = `own`, and `team` for a runner of the pool. */
    accept: 'own' | 'team' | 'none' | null;
    /** What a job does whose unpushed work is on a machine that was lost. */
    lostWork: 'continue' | 'ask';
    /** Whether the files of jobs are pushed at the end of each session. */
    wipRef: boolean;
    /** How many homes of lost runners this one continues at the same time; 0 = none. */
    adoptSlots: number;
  };
  llm: { defaultProvider: string; aliases: Readonly<Record<string, ModelAlias>> };
  runner: {
    /** Maximum number of jobs that hold a slot at the same time; default 2. */
    maxConcurrentJobs: number;
    /** Longest agent session; default 60. */
    sessionMinutes: number;
    /** Most output of one session, bytes, a line counting 64 more than it has; default 16 MiB. */
    sessionOutputBytes: number;
    /** Wait between a polite and a forced end of a session; default 5. */
    stopGraceSeconds: number;
    /** MB; 0 = off. */
    minFreeDiskMb: number;
    /** Where people reach the dashboard; left out = where the runner listens. */
    /** Left out: info, on a terminal warn. */
    logLevel?: LogLevel;
    publicUrl?: string;
    /**
     * Consecutive blocks of the completion gate that fail a job; COMPLETION_GATE_MAX_RETRIES,
     * default 5.
     */
    gateBlocks: number;
  } & SandboxSettings;
  server: { host: string; port: number; auth: 'auto' | 'required' | 'off' };
  /** Where people are notified, and of what; default nowhere. Holds secrets. */
  notifications?: NotificationSettings;
  /** Where traces of jobs are sent; default nowhere. Holds secrets. */
  traces?: TraceSettings;
  /** Rules by which webhooks make jobs; default none. */
  triggers?: readonly TriggerRule[];
  /** Jobs at times; default none. */
  schedules?: readonly ScheduleRule[];
  /** How checkouts are made ready; default: no scripts, no caches, no ports. */
  checkout?: CheckoutSettings;
  forges: {
    local: { repos: Readonly<Record<string, { path: string; defaultBranch: string | null }>> };
  };
  /**
   * `settings.coordination.maxParallelSubRuns`: maximum number of sub-runs of one parent at the
   * same time, whatever its workflow says; null = as it says.
   */
  coordination: { maxParallelSubRuns: number | null };
  /** `plugins.installed` by plugin id, older blocks converted. Holds secrets. */
  plugins: Readonly<Record<string, PluginSettings>>;
  /** Tool servers of jobs beside the runner's own. */
  mcp: {
    /** `mcpServers`, by id. Holds secrets. */
    servers: Readonly<Record<string, unknown>>;
    /** `inheritClaudeCodeMcps`, default false. */
    inheritClaude: boolean;
    /** The user's own file of the agent host: `~/.claude.json`. */
    claudeFile: string;
  };
  /** New jobs are interactive unless params.interactive says otherwise. */
  coachMode: { enabled: boolean };
  /** Plan-mode chats; without tools they can look at nothing. */
  intake: { toolsEnabled: boolean };
  /** How long things of ended jobs are kept; `everyMs` null = cleared away on request alone. */
  retention: { everyMs: number | null } & Record<RetentionKind, RetentionRule>;
  /** Backups that the runner makes by itself; `everyMs` or `folder` null = none. */
  backup: {
    everyMs: number | null;
    folder: string | null;
    copies: number;
    work: 'all' | 'active' | 'none';
  };
  /** When agents are warned, and jobs parked, because nothing changes any more. */
  noProgress: { laps: LoopLimits; starts: LoopLimit; session: CallLimits };
  /** Rules for what agents do; changes of svc's own and new ones. */
  guardrails: { enabled: boolean; rules: readonly GuardrailEntry[] };
  /** How the layer of a proposal is chosen: by its paths, or by the agent. Default path. */
  proposals: { routing: { strategy: 'path' | 'agent' } };
  /** Rules that every job is held to, as they are written. */
  invariants: readonly Record<string, unknown>[];
  /** The decision layer. */
  decision: DecisionSettings;
  budgets: {
    /** Own prices of models, before those of the release; default none. */
    prices: readonly OwnPrice[];
    /** Default: no scope has a cap. */
    caps: Caps;
    /** Factor of the caps of what is a job's own, for jobs that are not interactive; default 1. */
    headlessFactor: number;
    /** What caps on dollars count where a price is not known, $ per million tokens. */
    unpriced: { input: number; output: number };
  };
}
