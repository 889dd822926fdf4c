/** Alias of a model, e.g. `planning`. */
export interface ModelAlias {
  provider: string;
  model: string;
  reasoningEffort?: string;
}

/** Everything that the runner is built from: the config file with its defaults, the environment and the flags joined. */
export interface Settings {
  /** `SVC_HOME`, default `~/.svc`. */
  home: string;
  configFile: string;
  version: string;
  paths: {
    workingDir: string;
    stateDb: string;
    tokenFile: string;
    blobs: string;
    /** `intelligence.dir`, default `<home>/intelligence`: checkout for authoring tenant intelligence. */
    intelligenceDir: string;
  };
  /** Folder of the base layer that ships with svc. */
  baseIntelligence: string;
  tenant: { id: string; displayName: string; overlay: { kind: 'none' } | { kind: 'localDir'; path: string } };
  llm: { defaultProvider: string; aliases: Readonly<Record<string, ModelAlias>> };
  runner: {
    /** Jobs that hold a slot at once; default 2. */
    maxConcurrentJobs: number;
    /** Longest agent session; default 60. */
    sessionMinutes: number;
    /** Most output of one session, bytes, a line counting 64 more than it has; default 16 MiB. */
    sessionOutputBytes: number;
    /** Wait between a polite and a forced end of a session; default 5. */
    stopGraceSeconds: number;
    /** Consecutive blocks of the completion gate that fail a job; COMPLETION_GATE_MAX_RETRIES, default 5. */
    gateBlocks: number;
  };
  server: { host: string; port: number; auth: 'auto' | 'required' | 'off' };
  forges: { local: { repos: Readonly<Record<string, { path: string; defaultBranch: string | null }>> } };
  /** New jobs are interactive unless params.interactive says otherwise. */
  coachMode: { enabled: boolean };
}
