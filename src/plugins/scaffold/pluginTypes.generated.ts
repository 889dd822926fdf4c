// Generated from src/contract/runner/plugin.ts by npm run reference; do not edit.

/** The contract between svc and its plugins as one TypeScript file. */
export const PLUGIN_TYPES = `// The contract between svc and its plugins, version 1.
// Written by \`svc plugin init\`; do not change it.

/**
 * The default export of a plugin's entry. Says nothing more than what kind it is: so the compiler
 * checks the rest.
 */
export const definePlugin = <const Kind extends Plugin['kind']>(
  plugin: PluginOf<Kind>,
): PluginOf<Kind> => plugin;

export type PluginOf<Kind extends Plugin['kind']> = Extract<Plugin, { kind: Kind }>;

/** One plugin: its kind, how it is made, and samples for the conformance kit. */
export type Plugin = ExecutorPlugin | ScmPlugin | TrackerPlugin | DeciderPlugin;

/** Id under which the delivery of the kickoff itself is reported. */
export const KICKOFF = 'kickoff';

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

/** What a plugin is given. It reads nothing else of the runner. */
export interface PluginContext {
  /** Its settings, checked against its manifest, defaults filled in. */
  config: Readonly<Record<string, string | number | boolean>>;
  clock: Clock;
  /**
   * Asks a URL. Addresses of this machine and its network are refused unless
   * \`plugins.installed.<id>.allowHosts\` names the host.
   */
  request: GuardedRequest;
}

/** Runs agent sessions. \`id\` and the ending of orphans are the host's. */
export interface PluginExecutor
  extends PluginParts,
    Pick<Executor, 'capabilities' | 'run'>,
    Partial<Pick<Executor, 'endOrphans' | 'lacks' | 'toolForm'>> {
  /** Models that a phase may name. Has 10 s. */
  models?(): Promise<PluginModel[]>;
  /** How a person logs in at its vendor. */
  login?: VendorLogin | undefined;
}

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

/** Holds pull requests. */
export type PluginForge = PluginParts & ScmForge;

export interface ScmSamples {
  /** Settings for the try. */
  config?: PluginContext['config'];
  /**
   * A repository for tests only: the kit pushes a branch to it, opens a pull request, comments,
   * and merges. Without it only the creation is tested.
   */
  repo?: string;
}

/** What a tracker plugin is given. */
export type TrackerContext = PluginContext;

export type Tracker = PluginParts & BaseTracker;

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
   * \`commentIn\`. \`own\`: svc's account wrote it, else another person: the newest such comment on the
   * issue, or an invented one where it has none.
   */
  delivery?(comment: IssueComment, own: boolean): unknown;
}

/**
 * Answers questions about a job, such as how a finished phase has gone. One that cannot tell throws:
 * it never invents an answer.
 */
export type Decider = PluginParts & DecidesQuestions;

export interface ConfigSamples {
  /** Settings for the try. */
  config?: PluginContext['config'];
}

/**
 * Time as an input: everything that needs the time or a timer is handed a \`Clock\`.
 * The real one is made once in \`src/main.ts\`; tests hand in a simulated one.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls \`run\` once: at \`atMs\` (epoch milliseconds), or as soon as the time has passed that was left
   * until then, since the time of day may be set back meanwhile. The returned function cancels it.
   */
  at(atMs: number, run: () => void): () => void;
}

/**
 * Asks a URL and follows no redirect. Throws SvcError \`forbidden\` for an address that the plugin
 * may not reach, \`unreachable\` for everything else that goes wrong.
 */
export type GuardedRequest = (url: string, options?: GuardedOptions) => Promise<GuardedAnswer>;

export interface Executor {
  id: string;
  /** What may follow its id and a colon, as in \`acp:gemini\`; left out, it checks that itself. */
  variants?: readonly string[];
  capabilities: ExecutorCapabilities;
  /**
   * How agents of this provider, such as \`acp:gemini\`, find the tools of the job. Default, and
   * always so for installed plugins: as a program that runs \`svc tool <name>\`, with a list of them
   * in its prompt.
   */
  toolForm?(provider: string): ToolForm;
  /**
   * Why no session like this could start, as a clause such as "no endpoint is configured"; null =
   * no reason is known. Checked by the settings and by what is installed, without any request, so it
   * says nothing about health. Default: nothing is known.
   */
  lacks?(need: SessionNeed): string | null;
  /**
   * How sessions of this provider, such as \`acp:gemini\`, are metered. Default, and always so for
   * installed plugins: as \`capabilities\` say.
   */
  metering?: ((provider: string) => Metering) | undefined;
  /**
   * How the calls of such a session are paid for, by the settings alone. Default, and always so for
   * installed plugins: it is not known.
   */
  billing?: ((need: SessionNeed) => Billing) | undefined;
  /**
   * The account whose limits hold for such a session, by the settings alone; null = it is not
   * known. Default, and always so for installed plugins: it is not known, and a limit holds for the
   * job that meets it alone.
   */
  pool?: ((need: SessionNeed) => CredentialPool | null) | undefined;
  /**
   * Starts a session. Throws SvcError \`bad-argument\` when the request lacks what this executor
   * needs.
   */
  run(request: SessionRequest): Promise<Session>;
  /**
   * Answers one turn of a plan-mode chat. Left out: see \`capabilities.chat\`. Throws SvcError
   * \`bad-argument\` when the request lacks what this executor needs.
   */
  chat?: ((request: ChatRequest) => Promise<ChatRun>) | undefined;
  /**
   * Why a chat with this provider, such as \`acp:gemini\`, cannot be held read-only, as a clause;
   * null = it can. Default: it can where it has \`chat\`.
   */
  cannotChat?(need: SessionNeed): string | null;
  /**
   * Ends what an earlier process of the runner left running under \`markerPrefix\`; answers how many
   * process groups.
   */
  endOrphans(markerPrefix: string): Promise<number>;
}

export type PluginModel = {
  id: string;
  title: string;
};

/**
 * The operation \`login\` of an executor. Each part has 10 s. Errors with a code of
 * \`bad-argument\` (the vendor refuses what it was sent), \`forbidden\` (it refuses the person) or
 * \`unreachable\` are reported with their message; no message may hold a secret.
 */
export interface VendorLogin {
  start(begin: LoginBegin): Promise<LoginStep>;
  complete(answer: LoginCode): Promise<LoginSecrets>;
  /** For logins with a device code; null = the person is not done yet. */
  poll?(deviceCode: string): Promise<LoginSecrets | null>;
  /** A token that lasts, got with the login there is. Left out: the vendor has none. */
  longLivedToken?(): Promise<LoginSecrets>;
  /** The login is not wanted any more, or is over. */
  cancel?(): Promise<void>;
}

/** Parts that every kind may have; the manifest lists the existing ones in \`offers\`. */
export interface PluginParts {
  /** Checks whether it could work now. Has 10 s. */
  healthcheck?(): Promise<HealthAnswer>;
}

/**
 * A forge. Each call is independent: keep nothing in memory that a later one needs. An item of a
 * list that has another shape is left out, and so are \`comments\`, \`reviews\`, \`checks\`, \`hindrances\`,
 * \`mergeable\` and \`mergeState\` of another shape: the log of svc and the pull request name them. An error
 * with a \`code\` of \`not-found\`, \`conflict\`, \`bad-argument\`, \`forbidden\`, \`config-invalid\` (wrong
 * token) or \`rate-limited\` (with \`retryAt\`, epoch ms) means that nothing was done. With any other,
 * \`unreachable\` among them, and when the process ends or an answer has another shape, a write counts
 * as one that may have been done: svc looks for it by its mark before anything is written again. A
 * call has 30 s.
 */
export interface ScmForge {
  /** Login of the account that svc uses. */
  self(): Promise<string>;
  /** Throws \`not-found\` for one that does not exist or that the account may not see. */
  repository(repo: string): Promise<ScmRepository>;
  /** The newest 500 in every state, newest first. */
  pullRequests(repo: string): Promise<ScmPullRequest[]>;
  /** Throws \`not-found\`. */
  pullRequest(pr: ScmAddress): Promise<ScmPullRequestDetail>;
  /** Unified diff from the common ancestor of base and head to head. */
  diff(pr: ScmAddress): Promise<string>;
  /**
   * svc has pushed the branch already. While one is open for the same branches: throws \`conflict\`,
   * and opens no second one.
   */
  createPullRequest(pr: {
    repo: string;
    head: string;
    base: string;
    title: string;
    body: string;
  }): Promise<ScmPullRequest>;
  /** \`replyTo\`: id of the comment to answer; null = a comment of its own. */
  comment(comment: ScmAddress & { body: string; replyTo: string | null }): Promise<ScmComment>;
  /** Approves the newest commit in the name of the account. */
  approve(pr: ScmAddress): Promise<void>;
  /**
   * Merges exactly the commit \`head\`: throws \`conflict\` where another one is the newest, and
   * whenever the forge refuses, with the forge's own reason. \`message\`: for the merge commit, if
   * the forge takes one.
   */
  merge(pr: ScmAddress & { head: string; message: string }): Promise<ScmPullRequest>;
  /** Throws \`conflict\` for a name that is taken. Left out = agents cannot create repositories. */
  createRepository?(repository: {
    repo: string;
    description: string;
    private: boolean;
  }): Promise<ScmRepository>;
  /**
   * A text for each pull request, in the same order, that changes whenever anything about it does;
   * null = it is gone. Asked at every poll, so use few requests. Left out: each pull request that a
   * job waits for is read at every poll.
   */
  changes?(prs: readonly ScmAddress[]): Promise<(string | null)[]>;
  /**
   * The repository that an address is about, as \`repository\` takes it: where git finds it, its page,
   * or a page of something in it such as a pull request. null = none of this forge's: another
   * server, or a page that belongs to no repository. \`address\` was written by people in a ticket and
   * has any scheme (\`https://…\`, \`ssh://…\`, \`git@host:…\`). Needs no request: svc asks \`repository\`
   * whether it exists. Left out: tickets name the forge's repositories by name, never by address.
   */
  repositoryAt?(address: string): Promise<string | null>;
}

/** A place where issues live. What is not there throws an error with code \`not-found\`. */
export interface BaseTracker extends TrackerMethods, TrackerOffers {
  /**
   * Whether fields can be set with a new status. Default false: a call with fields is refused
   * before it gets here.
   */
  readonly transitionFields?: boolean;
}

export interface IssueComment {
  id: string;
  author: string;
  /** Untrusted text, markdown. */
  body: string;
  /** ISO 8601. */
  at: string;
  /**
   * A person of the site. Default false: what others write wakes no job unless the configuration
   * names them, and a plan-mode chat marks it.
   */
  member?: boolean;
}

/** Answers questions about a job. One that cannot tell throws: it never invents an answer. */
export interface DecidesQuestions {
  /** Settles within 100 ms of an abort of \`signal\`. */
  decide(question: DecisionQuestion, signal: AbortSignal): Promise<DecisionReply>;
}

export interface GuardedOptions {
  /** Default GET. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Longest wait for the whole answer, ms; default 10 s. */
  timeoutMs?: number;
  /** Ends the request. */
  signal?: AbortSignal;
}

/** What came back. */
export interface GuardedAnswer {
  status: number;
  text: string;
  /** The header \`Retry-After\`, if the reply has one. */
  retryAfter?: string;
}

/** What an executor can do; the runner relies on nothing that is false here. */
export interface ExecutorCapabilities extends Metering {
  /** Its sessions have \`steering\`: they take messages and interrupts while they work. */
  steering: boolean;
  /**
   * A message sent during a turn reaches the agent within that turn. False: the runner sends only
   * between turns.
   */
  foldMidTurn: boolean;
  /** Interrupting cancels tool calls in flight. */
  cancelsToolCalls: boolean;
  /**
   * A session can continue after the process that ran it is gone: \`session\` events give an id,
   * \`SessionRequest.resume\` takes it.
   */
  resume: boolean;
  /** Loads skills of the overlay by itself. */
  skills: boolean;
  /** Takes a system prompt. */
  systemPrompt: boolean;
  /**
   * How it holds plan-mode chats. \`own-loop\`: the runner asks the model itself. \`read-only-agent\`:
   * a program that is given the tools of the chat and no other. \`none\`: it has no \`chat\`. Default
   * \`none\`.
   */
  chat?: 'own-loop' | 'read-only-agent' | 'none';
  /**
   * Its sessions have no tools of their own where \`builtInTools\` is empty, whatever the model does.
   * Only then a chat may fall back on \`run\`. Default false.
   */
  holdsAllowlist?: boolean;
}

/** How an agent finds the tools of its job. */
export interface ToolForm {
  /**
   * What it sees before the name of a tool, such as \`mcp__svc__\`; empty = nothing; null = it is not
   * known.
   */
  prefix: string | null;
  /** It is offered them as tools with descriptions, so its prompt does not list them. */
  offered: boolean;
}

/** What is known of a session before it is made. */
export type SessionNeed = Pick<SessionRequest, 'llm' | 'command'>;

/** How far the runner can keep a session to caps on dollars and tokens. */
export interface Metering {
  /**
   * When its sessions report what calls of a model have used. \`each-call\`: after each one.
   * \`each-turn\`: when a turn is over, all of it at once. \`never\`: not at all, or it is not known.
   * Default \`never\`: a job that works unattended is refused under a cap on dollars or tokens.
   */
  reportsUsage?: 'each-call' | 'each-turn' | 'never';
  /**
   * No call of a model begins before the promise of \`onEvent\` for the report of the one before is
   * settled, so that a session that is ended meanwhile makes no further one. Only with \`each-call\`.
   * Default false: calls that begin until it has ended count too.
   */
  stopsBetweenCalls?: boolean;
}

/** How the calls of a model are paid for. */
export interface Billing {
  /** Address of the endpoint; null = that of the vendor. */
  endpoint: string | null;
  /** Who sells it, as the table of prices names them; null = the vendor of the model. */
  vendor: string | null;
  /**
   * \`key\`: by the call. \`subscription\`: by a login of the program's own. \`unknown\`: the executor
   * cannot tell.
   */
  paidBy: 'key' | 'subscription' | 'unknown';
  /** The model where neither phase nor endpoint names one; null = it is not known. */
  model: string | null;
}

/** An account at a model's endpoint, which limits hold for. It contains nothing secret. */
export interface CredentialPool {
  /** API that the endpoint speaks, such as \`anthropic\`. */
  kind: string;
  /** Origin of the endpoint, such as \`https://api.anthropic.com\`. */
  origin: string;
  /** The first 12 hex digits of the key's SHA-256; \`none\` where no key is set. */
  account: string;
}

/** One agent session to be run: everything it may know, nothing it may not. */
export interface SessionRequest extends SessionRef, SessionWatcher, CallJudge {
  /** The job's checkout, or the job's folder if it has none: working directory of the agent. */
  cwd: string;
  /** Folder of this session alone: prompts, log, \`mcp.json\`; mode 0700. */
  sessionDir: string;
  /** The job's overlay as files, absolute: \`.claude/CLAUDE.md\`, \`.claude/skills/\`, \`memory/\`. */
  overlayDir: string;
  systemPrompt: string;
  /** First message of the session; of the messages that it tells of, {@link KICKOFF} is the id. */
  kickoff: string;
  /**
   * The agent's own session to continue, as a \`session\` event named it; the kickoff is then its
   * next message. null = a fresh one. If it no longer exists, the executor starts a fresh one and
   * logs that.
   */
  resume: string | null;
  /** The phase's tool server. */
  tools: { url: string; token: string };
  /**
   * External tool servers that the agent may use beside it; what they hold of secrets goes to the
   * agent and nowhere else.
   */
  mcpServers: readonly McpServer[];
  /**
   * The only tools of the executor's own that the agent may use: read, write, edit, shell, glob,
   * grep, skill; null = all.
   */
  builtInTools: readonly string[] | null;
  /** Who was chosen to run it, and the model that the phase asks for. */
  llm: PhaseModel;
  /**
   * From the agent markdown's front matter; null where it has none. Placeholders are filled in
   * already.
   */
  command: readonly string[] | null;
  /** The agent's whole environment, built from a list. */
  env: Readonly<Record<string, string>>;
  limits: {
    timeMs: number;
    outputBytes: number;
    /**
     * Dollars that are left of its budgets, for an agent that can keep to them by itself; the
     * runner watches them in any case. Left out: no cap, or the prices of svc and of the vendor
     * differ.
     */
    usd?: number;
  };
  /**
   * Marks every process of the session, so that a later start finds those that outlived a crash.
   */
  marker: string;
  /** Every program is started through its \`wrap\`. Left out: nothing confines them, or a plugin runs them. */
  sandbox?: SessionSandbox | undefined;
  /**
   * Takes the secrets that the runner knows out of a text: other agents' keys and its own token
   * among them. Left out: none are known. Installed plugins do not get it.
   */
  screen?(text: string): string;
  /**
   * Called for each line of output and each usage report, in order. While a promise is pending, no
   * more output is read.
   */
  onEvent(event: SessionEvent): Promise<unknown> | undefined;
}

/** A running session. */
export interface Session {
  /**
   * Never rejects: what goes wrong is a result with stopReason \`error\`. No process of the session
   * is left then.
   */
  readonly result: Promise<SessionResult>;
  /**
   * How to talk to the agent while it works; null where the executor cannot. Without it a session
   * is one turn.
   */
  readonly steering: Steering | null;
  /**
   * Ends it for good: asks politely, then kills the whole process group after \`graceMs\`. \`result\`
   * follows.
   */
  end(graceMs: number): Promise<void>;
}

/** One turn of a plan-mode chat. */
export interface ChatRequest {
  /** Id of the investigation. */
  sessionId: string;
  /** Number of the turn, from 1. */
  turn: number;
  system: string;
  /** Settled turns, oldest first. */
  history: readonly ChatEntry[];
  /** What the developer says now. */
  message: string;
  /** Empty = the model can look at nothing. */
  tools: readonly ReadTool[];
  llm: PhaseModel;
  /**
   * Most rounds of look-ups. After the last one the model is asked once more, without calls, for
   * its closing words.
   */
  maxRounds: number;
  /** What the last turn answered as \`resume\`; null = none, and \`history\` says everything. */
  resume: string | null;
  /**
   * Folder of this chat alone, mode 0700, made by the caller and removed by it when the turn is
   * over. Nothing may be written outside of it.
   */
  stateDir: string;
  /**
   * The tool server of this turn for agents that are programs: \`tools\`, which are those of the
   * request under the same names, over MCP. Asked at most once; the caller closes it after the turn.
   */
  toolServer(tools: readonly ReadTool[]): Promise<{ url: string; token: string }>;
  /**
   * What confines a program that answers the turn; asked at most once, before it is started.
   * undefined = nothing does. Rejects where a sandbox is required and none can be had. Left out:
   * nothing confines it.
   */
  sandbox?(need: { toolUrl: string; sessionDir: string }): Promise<SessionSandbox | undefined>;
  /** Whole environment of a program, built from a list. */
  env: Readonly<Record<string, string>>;
  /** Marks every process of the turn, so that a later start finds those that outlived a crash. */
  marker: string;
  /** Takes the secrets that the runner knows out of a text. */
  screen(text: string): string;
  /** Stops the turn; \`result\` then has stop \`interrupted\`, with its text so far. */
  signal: AbortSignal;
  /**
   * Called for each part as it comes. While a promise is pending, no more of the answer is read.
   * Look-ups are not parts: the tools report themselves.
   */
  onPart(part: ChatPart): Promise<unknown> | undefined;
}

/** A turn that is running. */
export interface ChatRun {
  /** It runs as a session, of an executor without \`chat\`. Left out: it does not. */
  readonly fallback?: true;
  /** Never rejects. No process of the turn is left then. */
  readonly result: Promise<ChatResult>;
}

/**
 * How a person logs an executor in at its vendor. What is secret of a login (the verifier, the
 * session that began it, when it ends) is the runner's; an executor only speaks with its vendor.
 */

/** What a login begins with: an authorization request of OAuth 2.0 with PKCE (RFC 6749, RFC 7636). */
export interface LoginBegin {
  /** Must come back with the code, unchanged. */
  state: string;
  /** Of a verifier that the runner keeps. */
  codeChallenge: string;
  codeChallengeMethod: 'S256';
  /**
   * Page of the dashboard that takes code and state. A vendor that shows the code instead may
   * ignore it: a person can paste the code there, too.
   */
  redirectUri: string;
}

/** What a person has to do. */
export type LoginStep =
  /** Opens the address; a code comes back. */
  | { kind: 'browser'; url: string }
  /** Runs the program's own command in a terminal; what that prints is the code. */
  | { kind: 'command'; command: string }
  /** Opens the address and types \`userCode\` (RFC 8628). */
  | {
      kind: 'device';
      url: string;
      userCode: string;
      /** For \`poll\`; it is shown to no one. */
      deviceCode: string;
      /** Shortest time between two polls, ms. */
      intervalMs: number;
    };

/** The answer of the vendor, by way of the person. */
export interface LoginCode {
  code: string;
  state: string;
  codeVerifier: string;
  /** The same as at the beginning. */
  redirectUri: string;
}

/** What was got, by the names of secret settings of the plugin; the runner stores it there. */
export type LoginSecrets = Readonly<Record<string, string>>;

/** Answer of a health check: \`detail\` is for people and holds no secret. */
export interface HealthAnswer {
  ok: boolean;
  detail: string;
}

/** Where git finds a repository. */
export interface ScmRepository {
  /** As the forge writes it now: the new name of one that was renamed. */
  repo: string;
  /**
   * Address for git, https:// (http:// for a server that has no other), without a login. An address
   * of this machine or its network is refused unless \`plugins.installed.<id>.allowHosts\` names the
   * host.
   */
  cloneUrl: string;
  /** For reading and pushing; null = none is needed. svc gives it to git alone. */
  login: { username: string; password: string } | null;
  /** For people. */
  url: string;
  /** As \`createRepository\` was given it, with the mark at its end. Default empty. */
  description?: string;
}

export interface ScmPullRequest extends ScmAddress {
  /** \`repo\` as the forge writes it now. */
  repo: string;
  title: string;
  /** The whole text: svc finds what it wrote by the mark at the end. Untrusted. */
  body: string;
  author: ScmUser;
  /** Branches. */
  head: string;
  base: string;
  /** The newest commit of the head branch, all 40 characters; empty where it is not known. */
  headCommit: string;
  state: 'open' | 'merged' | 'closed';
  /** For people. */
  url: string;
  /** ISO 8601, as all times here. */
  createdAt: string;
  /** When it was merged or closed, by whom, and the commit of the merge; null = not known or open. */
  endedAt: string | null;
  endedBy: ScmUser | null;
  mergeCommit: string | null;
}

/** Names a pull request. */
export interface ScmAddress {
  repo: string;
  number: number;
}

export interface ScmPullRequestDetail extends ScmPullRequest {
  /** Whether git can merge it now; null = not known yet, or not open. */
  mergeable: boolean | null;
  /**
   * What the forge says itself about merging it now, in its own word; \`clean\`: nothing that it
   * requires is missing. null = it does not say.
   */
  mergeState: { word: string; clean: boolean } | null;
  /** All, oldest first. */
  comments: ScmComment[];
  /** All, oldest first; the last one of an author counts. */
  reviews: ScmReview[];
  /** null = the account may not read them. */
  checks: ScmCheck[] | null;
  /**
   * What else keeps an open pull request from being merged, a line each, as clauses about it: "its
   * repository is archived". At most 300 characters. People and the job that waits for it are shown
   * these. Default none.
   */
  hindrances?: string[];
}

export interface ScmComment {
  /** The same whenever it is read. */
  id: string;
  author: ScmUser;
  /** The whole text, as in \`ScmPullRequest\`. */
  body: string;
  at: string;
  /** Id of the comment that it answers; null = none. */
  replyTo: string | null;
  /** For people. Default: the address of the pull request. */
  url?: string;
  /** For a comment on code: where; \`line\` null = the whole file. Default: it is on no code. */
  place?: { path: string; line: number | null; resolved: boolean };
}

/** What is asked of a tracker. */
export interface TrackerMethods {
  issue(key: string): Promise<Issue>;
  /** Oldest first. */
  comments(key: string): Promise<IssueComment[]>;
  /** An empty text means the issues that changed last. */
  search(text: string, limit: number): Promise<Issue[]>;
  /** The same operation id never writes twice: the answer is that of the first time. */
  comment(key: string, body: string, operationId: string): Promise<IssueComment>;
  /**
   * Answers the issue after it; a status that cannot be reached throws. \`fields\` come only where
   * \`transitionFields\` is true.
   */
  transition(
    key: string,
    status: string,
    operationId: string,
    fields?: TransitionFields,
  ): Promise<Issue>;
}

/** Parts that not every tracker has; those of a plugin are named in \`offers\`. */
export interface TrackerOffers {
  /**
   * The key of the issue that an address is about, as \`issue\` takes it: its page, or a place within
   * that. null = none of this tracker's. Left out: every method may be given an address as \`key\`.
   */
  issueAt?(address: string): Promise<string | null>;
  /**
   * The new comment that a delivery to \`POST /webhooks/<id>\` reports; null for everything else, such
   * as a comment that was edited, or a new status. \`delivery\` is its body, JSON; svc has checked the
   * signature, and that it has not come before. May ask the server, where the body says only where
   * to look. An error makes the sender send it again. Belongs to \`webhook\` of the manifest.
   */
  commentIn?(delivery: unknown): Promise<ReportedComment | null>;
}

/** What a decider is asked. All texts are untrusted: nothing in them is an instruction to it. */
export interface DecisionQuestion {
  /** The same for a repeat of the question. */
  id: string;
  site: DecisionSite;
  /** The pinned model; an answer by another one is not used. */
  model: string;
  /** How long an answer is waited for, ms. */
  deadlineMs: number;
  /** What the job is for, in the words of who asked for it. */
  objective: string;
  phase: { name: string; visit: number /** Path of the workflow. */; of: string };
  obligations: readonly Obligation[];
  /** Of the site lane: the workflows to choose from; elsewhere left out. */
  options?: readonly Obligation[];
  digest: Digest;
  /** The members that \`answers\` must have, such as requirement, goal, seriousness and stuck. */
  questions: readonly string[];
}

/** What a decider answers with: no more than this is read of it. */
export type DecisionReply = {
  usage?: {
    inputTokens: number;
    outputTokens: number;
  };
  id: string;
  model: string;
  answers: Record<string, unknown>;
};

/**
 * An external tool server that a job's agents may use. \`env\` and \`headers\` hold secrets: it goes to
 * the agent and nowhere else.
 */
export interface McpServer {
  id: string;
  /**
   * Who declared it: the configuration of svc, the user's own file of the agent host, or the job's
   * repository.
   */
  origin: 'config' | 'repo' | 'claude';
  transport: 'stdio' | 'http' | 'sse';
  /** Program of a stdio server; null for the others. */
  command: string | null;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Address of an http or sse server; null for stdio. */
  url: string | null;
  headers: Readonly<Record<string, string>>;
  /** Names of the only tools that may be used; null = all. */
  allowedTools: readonly string[] | null;
  /** Names of tools that may not be used. */
  disallowedTools: readonly string[];
  /** Longest start: connecting and listing its tools, ms; left out = 30 s. */
  timeoutMs?: number;
  /** Values of variables of the environment that are part of it; left out = none. */
  secrets?: readonly string[];
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

/** The sandbox of one session. */
export interface SessionSandbox {
  profile: SandboxProfile;
  /** The same program, started inside; \`cwd\` is its working directory. */
  wrap(start: ProgramStart, cwd: string): ProgramStart;
  /**
   * The tool server is out of reach of ordinary requests: agents get it as a program, \`svc
   * mcp-bridge\`.
   */
  bridge: boolean;
}

export type SessionEvent =
  /** A whole line, without line ends. */
  | { type: 'log'; stream: 'stdout' | 'stderr' | 'control'; line: string }
  /** Part of what the agent says, or thinks, as it comes; parts may end anywhere. */
  | { type: 'token' | 'thinking'; text: string }
  /**
   * A tool call of the agent's, its own or one of a tool server; \`id\` is the same in both. \`detail\`
   * is one short line.
   */
  | { type: 'tool'; at: 'start' | 'end'; id: string; name: string; ok: boolean; detail: string }
  /**
   * Tokens since the last such event, not the sum. \`inputTokens\` is all input: what was read from a
   * cache (\`cachedInputTokens\`) and written to one (\`cacheWriteTokens\`) is part of it, whatever the
   * agent or its endpoint calls input. Failed and interrupted requests count with what the endpoint
   * reported of them. One event is one call of a model where the executor can tell them apart; an
   * executor that can wait does not begin the next call before the promise is settled.
   */
  | UsageReport
  /** How much of the account's fullest window is used, as the endpoint says with its answers. */
  | ({ type: 'limits' } & QuotaUse)
  /** The agent's own session has an id now, with which it could be continued. */
  | { type: 'session'; id: string }
  /**
   * The outcome of a message: \`delivered\`, it is part of what the model is asked; \`acknowledged\`,
   * the model has begun its answer to that. In this order, each at most once for a message.
   */
  | { type: 'message'; id: string; state: 'delivered' | 'acknowledged' }
  /**
   * A turn is over. Only from sessions with \`steering\`, once for each turn; the session waits for
   * more, or for \`close\`.
   */
  | { type: 'turn'; stopReason: TurnStop; error: string | null };

/** Which agent session of which job: the place where an agent works, and the fence of its calls. */
export interface SessionRef {
  readonly jobId: string;
  /** Name of the phase that is worked on. */
  readonly phase: string;
  /** Number of the visit: of all phases that the job has entered, in order, from 1. */
  readonly visit: number;
  /** Number of the session within its visit, from 1. */
  readonly session: number;
}

/** Who watches for repetition. Left out: no one does. Installed plugins do not get it. */
export interface SessionWatcher {
  /** Called for each start and end of a tool call that the executor sees. */
  onCall?(call: SeenCall): void;
  /** Called each time that the executor has shortened the conversation, as far as it shows that. */
  onFold?(fold: SeenFold): void;
}

/** Who decides about such calls. Left out: every call runs. Installed plugins do not get it. */
export interface CallJudge {
  /**
   * Asked before the call is carried out; calls of the job's own tools are checked at their server.
   * Answers why it is refused and what to do instead, for the agent; null = it may run. Where it
   * rejects, the call does not run.
   */
  guard?(call: OwnCall): Promise<string | null>;
}

export interface SessionResult {
  stopReason: StopReason;
  /** Last words where it ended in an error, a limit or a quota, or died; null otherwise. */
  error: string | null;
  /** The sum of the whole session; null where it is not known. */
  usage: Usage | null;
  /**
   * With stopReason \`error\`: where it comes from, which says what becomes of the job; left out = it
   * is not known, and the job waits for a person.
   */
  fault?: SessionFault;
  /** Exit code of the program where its end was the failure; left out = it did not exit by itself. */
  exitCode?: number;
  /**
   * With stopReason \`quota\`: when the endpoint takes requests again, epoch ms; null or left out =
   * it does not say. One that is not in the future, or more than 31 days away, counts as null.
   */
  resetsAt?: number | null;
  /** With stopReason \`quota\`: which limit it is; left out = one that is used up for a while. */
  quota?: QuotaLimit;
}

/** A session's input, which stays open from turn to turn until it is closed. */
export interface Steering {
  /**
   * Appends messages to the input. Between turns they begin the next one, together. During a turn
   * they are given to the agent within it, where the executor folds; the runner does not send then
   * where it does not.
   */
  send(messages: readonly SessionMessage[]): void;
  /**
   * Stops the running turn and nothing else: a \`turn\` event with stopReason \`interrupted\` follows,
   * and the session continues with the next message. Resolves true when the agent has acknowledged
   * it, false when it did not within \`ackMs\`; true immediately between turns. Never rejects.
   */
  interrupt(ackMs: number): Promise<boolean>;
  /**
   * Checks whether the agent reaches its tool server and reconnects it if it does not. Resolves
   * whether it is reached. Never rejects.
   */
  heal(): Promise<boolean>;
  /**
   * No more input: the session ends after the turn that runs, or immediately between turns. Its
   * result then has the stopReason of its last turn: \`interrupted\` after an interrupt. Later calls
   * change nothing.
   */
  close(): void;
}

/** Text of an earlier turn, as it is sent: the same bytes in every later turn until it is folded. */
export interface ChatEntry {
  /** Evidence of an earlier turn is an entry of the user. */
  role: 'user' | 'assistant';
  text: string;
}

/**
 * Something that a chat can look at. There is no tool that writes: what is not in the list of a
 * request does not exist for the model, and that is what makes a chat read-only.
 */
export interface ReadTool {
  /** \`tracker_get_issue\`; programs see it with the prefix of their tool server. */
  name: string;
  description: string;
  /** JSON schema of the arguments: an object. */
  inputSchema: Readonly<Record<string, unknown>>;
  /**
   * Looks it up, records it as evidence and answers the text for the model. Never rejects: what
   * went wrong is a failed answer. Settles soon after \`signal\` is aborted.
   */
  run(
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ text: string; failed: boolean }>;
}

export type ChatPart =
  /** Part of the answer, or of what the model thinks; parts may end anywhere. */
  | { type: 'token' | 'thinking'; text: string }
  /**
   * The answer that was coming broke off and is asked for again: what came since the last round
   * began is void.
   */
  | { type: 'again' }
  /** A round of look-ups begins, from 1 on: those that begin until the next such part are of it. */
  | { type: 'round'; n: number }
  /** A line for people, such as a wait for the endpoint. */
  | { type: 'note'; text: string }
  /** How much of the account's fullest window is used, as the endpoint says with its answers. */
  | ({ type: 'limits' } & QuotaUse)
  /** Tokens since the last such part; one part is one call of a model where they can be distinguished. */
  | UsageReport;

export interface ChatResult {
  stop: ChatStop;
  /** For people, with \`error\` and \`quota\`; null otherwise. */
  error: string | null;
  /** With \`quota\`: when the endpoint takes requests again, epoch ms; null = it does not say. */
  resetsAt: number | null;
  /** With \`quota\`: which limit it is; left out = one that is used up for a while. */
  quota?: QuotaLimit;
  /** Sum of the turn; null where it is not known. */
  usage: Usage | null;
  /** Tokens that the last request filled of the window; null where it is not known. */
  contextTokens: number | null;
  /** How often the model was asked and called something. */
  rounds: number;
  /** With which the next turn continues; null = it cannot, and \`history\` says everything again. */
  resume: string | null;
}

/** A person or a program at a forge. */
export interface ScmUser {
  /** Names this account and no other one; case does not matter. */
  login: string;
  /** A program. Default false. Programs wake no job. */
  bot?: boolean;
  /**
   * May write to the repository. Default false: what others write wakes no job unless the
   * configuration names them.
   */
  member?: boolean;
}

/** What a reviewer decided. */
export interface ScmReview {
  /** The same whenever it is read. */
  id: string;
  author: ScmUser;
  /** \`withdrawn\`: an earlier decision of the same author no longer counts. */
  verdict: 'approved' | 'changes_requested' | 'withdrawn';
  /**
   * The commit that was reviewed; null = not known. An agent may merge only what a person approved
   * at exactly the newest commit.
   */
  commit: string | null;
  at: string;
  /** Untrusted; default empty. */
  body?: string;
}

/** One result of CI for the newest commit. */
export interface ScmCheck {
  /** Another one for each run. */
  id: string;
  name: string;
  /** \`neutral\`: neither good nor bad, such as skipped. */
  state: 'pending' | 'passed' | 'failed' | 'neutral';
  /** Whether the base branch requires it; true where the forge does not tell. */
  required: boolean;
  url: string;
  /** When it ended; null = it has not. */
  at: string | null;
}

export interface Issue {
  /** As the tracker writes it: \`SHOP-1\`, \`acme/shop#1\`. */
  key: string;
  title: string;
  /** Untrusted text, markdown. */
  body: string;
  status: string;
  /** Set where people no longer see it among the others, whatever its status is. */
  gone?: 'archived' | 'trashed';
  url: string;
  /** Labels and components. Untrusted text; default none. */
  labels?: string[];
  /** Addresses that are attached to it. Untrusted text; default none. */
  links?: string[];
  /**
   * A person of the site wrote it. Default false: a plan-mode chat marks what others wrote.
   */
  member?: boolean;
}

/**
 * Values of fields that are set with a new status: id or name of a field → value, JSON. A text
 * means the value with this name.
 */
export type TransitionFields = Readonly<Record<string, unknown>>;

/** A new comment on an issue, as a delivery of the tracker's webhook reports it. */
export interface ReportedComment extends IssueComment {
  /** Key of the issue, as in \`Issue\`. */
  key: string;
  /** svc's own account wrote it: it wakes no job. */
  own: boolean;
  /**
   * What names the account of the author alone, where \`author\` is a name that others can take: the
   * settings \`wakeAuthors\` and \`ignoreAuthors\` list these. Default \`author\`.
   */
  authorId?: string;
  /** A program. Default false. Programs wake no job. */
  bot?: boolean;
  /** For people; default none. */
  url?: string;
}

/** Where the decision layer is asked; see docs/concepts/decision-layer.md. */
export type DecisionSite = 'input-screen' | 'lane' | 'overseer' | 'review-lens' | 'wake-gate';

/** A sentence with an id, such as what a phase is held to. */
export interface Obligation {
  /** Of what a phase is held to: \`o1\`, \`o2\` …, in their order. */
  id: string;
  text: string;
}

/**
 * What the runner knows of a phase, from committed rows: at most 3,000 tokens. \`facts\` to \`people\`
 * are what svc has seen itself; \`claims\` are the agent's own words, which prove nothing.
 */
export interface Digest {
  /** Raised when the same rows give another digest. */
  version: number;
  /** Of the digest without this field, as canonical JSON; hex. */
  sha256: string;
  /** Counts by name, such as \`calls\` and \`failedCalls\`, for deciders that compare numbers. */
  counts: Readonly<Record<string, number>>;
  facts: readonly string[];
  tools: readonly string[];
  failures: readonly string[];
  /** What people have said since the phase before. */
  people: readonly string[];
  claims: readonly string[];
  /** Flags of earlier visits of the phase. */
  history: readonly string[];
  /** Names of the sections that were cut. */
  truncated: readonly string[];
}

/** What confines a session: the sandbox runtime, bubblewrap alone, or the user's command. */
export type SandboxProfile = 'bubblewrap' | 'command' | 'runtime';

/** A program with its arguments, before it is started. */
export interface ProgramStart {
  program: string;
  args: readonly string[];
}

/** Tokens of a call of a model, or of several that cannot be distinguished. */
export interface UsageReport {
  type: 'usage';
  usage: Usage;
  /** What the endpoint says that it was; null or left out = the session's model. */
  model?: string | null;
  /** \`estimated\`: counted by the executor, because the endpoint has not. Default \`reported\`. */
  source?: 'reported' | 'estimated';
}

export interface QuotaUse {
  /** Part of what the window allows: 0 = nothing, 1 = all. */
  used: number;
  window: string | null;
  /** When the window begins again, epoch ms; null = it is not known. */
  resetsAt: number | null;
}

/**
 * Why a turn is over, in the agents' own terms. \`empty\`: its last answer held neither text nor a
 * call; the runner asks once more, then the session is \`stuck\`.
 */
export type TurnStop = 'empty' | 'end_turn' | 'error' | 'interrupted' | 'max_tokens' | 'max_turns' | 'pause_turn' | 'refusal' | 'tool_use';

/** A tool call of an agent, as far as rules about repetition have to know it. */
export interface SeenCall {
  at: 'start' | 'end';
  /** The same in both. */
  id: string;
  name: string;
  /** At the end: the call has succeeded. */
  ok: boolean;
  /**
   * Fingerprint: at the start of the arguments, at the end of the answer. The same where they differ
   * only in numbers, times, long hexadecimal words and temporary paths.
   */
  print: string;
  /**
   * At the end: names of the tests that the answer shows as failed; empty after a run in which none
   * failed; null = it shows no run of tests.
   */
  failing: readonly string[] | null;
}

/** The executor has shortened the conversation to make room in the window of the model. */
export interface SeenFold {
  /** Part of the conversation that was freed, 0 to 1; null = it is not known. */
  freed: number | null;
}

/** A call of a tool that belongs to the agent's program or to an external tool server. */
export interface OwnCall {
  /**
   * read, write, edit, shell, glob, grep, skill; \`mcp__<server>__<tool>\` of an external server; of
   * anything else the name that the program gives it.
   */
  tool: string;
  /** \`command\` of a shell, \`path\` of tools that change a file; of others all that they are called with. */
  args: Readonly<Record<string, unknown>>;
  /** Files that it changes, as the agent names them; empty = none that is known. */
  changes: readonly string[];
}

/**
 * Why a session is over. \`interrupted\`: the runner ended it. \`limit\`: one of the runner's own
 * limits of time or output. \`quota\`: the model's endpoint accepts no more requests for a while
 * (429, 529, a usage limit); the job waits and continues by itself. \`died\`: the agent's process
 * ended without a result (killed, crashed); it is started again. \`stuck\`: the agent cannot come to
 * an end on its own (it refuses, its answers are cut off or empty, it used up its turns, it repeats
 * a call that fails); the job keeps its branch and waits for a person. \`error\`: anything else that
 * went wrong; the fault decides how the job continues (\`sessionFaults.ts\`).
 */
export type StopReason = 'died' | 'end_turn' | 'error' | 'interrupted' | 'limit' | 'pause_turn' | 'quota' | 'stuck';

/**
 * Tokens that an endpoint has counted, of every request: failed and interrupted ones included, as
 * far as it reported them. Zero where the agent does not tell.
 */
export type Usage = {
  cacheWriteTokens?: number;
  cacheWrite1hTokens?: number;
  reasoningTokens?: number;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
};

/**
 * Where the error of a session comes from: fault → what becomes of its job. A new fault has to be
 * given an answer here, and one that fails jobs a row in the documentation of the ways to fail.
 */
export type SessionFault = 'call-refused' | 'call-unanswered' | 'not-here' | 'not-started' | 'not-written' | 'own-exit' | 'refused' | 'request-refused' | 'server-away' | 'server-not-started' | 'server-refused' | 'unknown' | 'unreachable';

/** Which limit it is, without its time. */
export type QuotaLimit = Pick<QuotaHit, 'kind' | 'window'>;

/** What a developer, or the runner, says to an agent in the middle of a session. */
export interface SessionMessage {
  id: string;
  text: string;
}

/**
 * Why a turn is over. \`rounds\`: at \`maxRounds\`, after the closing words. \`cut\`: at the longest
 * answer of the model.
 */
export type ChatStop = 'end' | 'rounds' | 'cut' | 'refusal' | 'interrupted' | 'quota' | 'error';

export interface QuotaHit {
  kind: QuotaKind;
  /** What is limited, in a word or two, such as \`5 hours\` or \`tokens\`; null = it is not known. */
  window: string | null;
  /** When it takes requests again, epoch ms; null = it does not say. */
  resetsAt: number | null;
}

/**
 * Why a model's endpoint takes no requests. \`throttled\`: too many of late; a short wait helps.
 * \`exhausted\`: what a window of hours or days allows is used up. \`overloaded\`: it has too much to
 * do, for every account. \`billing\`: the account is unpaid; waiting does not help and a person has to act.
 */
export type QuotaKind = 'billing' | 'exhausted' | 'overloaded' | 'throttled';
`;
