/**
 * What an executor plugin sees of svc, as a file of its own: so a plugin compiles without svc. A
 * test holds it against the contract.
 */
export const CONTRACT_TEXT = `// The contract between svc and a plugin of kind executor, version 1. Written by \`svc plugin init\`; do not change it.

/**
 * What the executor can do; the runner relies on nothing that is false here. The manifest says the
 * same.
 */
export interface ExecutorCapabilities {
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
   * A session can go on after the process that ran it is gone: \`session\` events tell an id,
   * \`SessionRequest.resume\` takes it.
   */
  resume: boolean;
  /** Loads skills of the overlay by itself. */
  skills: boolean;
  /** Takes a system prompt. */
  systemPrompt: boolean;
}

export interface McpServer {
  id: string;
  origin: 'config' | 'repo' | 'claude';
  transport: 'stdio' | 'http' | 'sse';
  /** Program of a stdio server; null for the others. */
  command: string | null;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Address of an http or sse server; null for stdio. */
  url: string | null;
  headers: Readonly<Record<string, string>>;
  /** The only tools that may be used; null = all. */
  allowedTools: readonly string[] | null;
  disallowedTools: readonly string[];
}

export interface SessionRequest {
  jobId: string;
  visit: number;
  session: number;
  phase: string;
  /** Working directory of the agent, and of this process. */
  cwd: string;
  /**
   * Holds system.md, kickoff.md, session.json and mcp.json of this session; also in
   * SVC_SESSION_DIR.
   */
  sessionDir: string;
  /**
   * The job's overlay as files, absolute: \`.claude/CLAUDE.md\`, \`.claude/skills/\`, \`memory/\`.
   */
  overlayDir: string;
  systemPrompt: string;
  /** First message of the session; of the messages that it tells of, \`kickoff\` is the id. */
  kickoff: string;
  /** The agent's own session to go on with, as a \`session\` event named it; null = a fresh one. */
  resume: string | null;
  /**
   * The phase's tool server (MCP, streamable HTTP); the token is a bearer token and must not be
   * printed.
   */
  tools: { url: string; token: string };
  /**
   * Other tool servers that the agent may use. Their env and headers hold secrets: give them to the
   * agent, print nothing of them.
   */
  mcpServers: readonly McpServer[];
  /**
   * The only tools of your own that the agent may use: read, write, edit, shell, glob, grep, skill;
   * null = all.
   */
  builtInTools: readonly string[] | null;
  /**
   * What the phase asks for: your id, the model as you name it, the effort in your words; null =
   * your choice.
   */
  llm: { provider: string; model: string | null; reasoningEffort: string | null };
  /** \`command:\` of the agent markdown. */
  command: readonly string[] | null;
  /** The whole environment for the agent's processes. */
  env: Readonly<Record<string, string>>;
  limits: { timeMs: number; outputBytes: number };
  marker: string;
  /**
   * Say a line or a usage. Wait for the promise before you say more: it settles when the line is
   * kept.
   */
  onEvent(event: SessionEvent): Promise<unknown> | undefined;
}

/** Tokens of the session; whole numbers. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
}

/** Why a turn is over. */
export type TurnStop =
  | 'end_turn'
  | 'interrupted'
  | 'tool_use'
  | 'pause_turn'
  | 'max_tokens'
  | 'max_turns'
  | 'refusal'
  | 'error';

export type SessionEvent =
  /** A whole line, without line ends. */
  | { type: 'log'; stream: 'stdout' | 'stderr' | 'control'; line: string }
  /** Part of what the agent says, or thinks, as it comes; parts may end anywhere. */
  | { type: 'token' | 'thinking'; text: string }
  /**
   * A tool call of the agent's, its own or one of a tool server; \`id\` is the same in both.
   * \`detail\` is one short line.
   */
  | { type: 'tool'; at: 'start' | 'end'; id: string; name: string; ok: boolean; detail: string }
  /** Tokens since the last such event, not the sum. */
  | { type: 'usage'; usage: Usage }
  /** The agent's own session has an id now, under which it could be gone on with. */
  | { type: 'session'; id: string }
  /**
   * What became of a message: \`delivered\`, it is part of what the model is asked;
   * \`acknowledged\`, the model has begun its answer to that. In this order, each at most once for
   * a message.
   */
  | { type: 'message'; id: string; state: 'delivered' | 'acknowledged' }
  /**
   * A turn is over. Only from sessions with \`steering\`, once for each turn; the session waits for
   * more, or for \`close\`.
   */
  | { type: 'turn'; stopReason: TurnStop; error: string | null };

export interface SessionResult {
  /**
   * end_turn: done. pause_turn: go on later. quota: the model's endpoint takes no more requests for
   * a while, and the job waits and continues by itself. died: the agent's process ended without a
   * result, and is started again. error: the job fails.
   */
  stopReason: 'end_turn' | 'pause_turn' | 'interrupted' | 'error' | 'limit' | 'quota' | 'died';
  /** Last words where it ended in an error, a limit or a quota, or died; null otherwise. */
  error: string | null;
  /** The sum of the whole session; null where it is not known. */
  usage: Usage | null;
  /**
   * With quota: when the endpoint takes requests again, epoch ms; null or left out = it does not
   * say.
   */
  resetsAt?: number | null;
}

/** What a developer, or the runner, says to an agent in the middle of a session. */
export interface SessionMessage {
  id: string;
  text: string;
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
   * Stops the running turn and nothing else: a \`turn\` event with stopReason \`interrupted\`
   * follows, and the session goes on with the next message. Resolves true when the agent has
   * acknowledged it, false when it did not within \`ackMs\`; true at once between turns. Never
   * rejects.
   */
  interrupt(ackMs: number): Promise<boolean>;
  /**
   * Looks whether the agent reaches its tool server and connects it anew where it does not.
   * Resolves whether it is reached. Never rejects.
   */
  heal(): Promise<boolean>;
  /**
   * No more input: the session ends after the turn that runs, or at once between turns. Later calls
   * change nothing.
   */
  close(): void;
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
   * Ends it for good: asks politely, then kills the whole process group after \`graceMs\`.
   * \`result\` follows.
   */
  end(graceMs: number): Promise<void>;
}

export interface PluginContext {
  /** Settings of the plugin, checked against the manifest, defaults filled in. */
  config: Readonly<Record<string, string | number | boolean>>;
  clock: { now(): number; at(atMs: number, run: () => void): () => void };
  /**
   * Asks a URL; addresses of this machine and its network only where
   * \`plugins.installed.<id>.allowHosts\` names the host.
   */
  request(
    url: string,
    options?: { method?: string; headers?: Readonly<Record<string, string>>; body?: string },
  ): Promise<{ status: number; text: string }>;
}

export interface PluginExecutor {
  capabilities: ExecutorCapabilities;
  run(request: SessionRequest): Promise<Session>;
  /** Named in the manifest's \`offers\` when it is there. Has 10 s. */
  healthcheck?(): Promise<{ ok: boolean; detail: string }>;
  /** Named in the manifest's \`offers\` when it is there. Has 10 s. */
  models?(): Promise<{ id: string; title: string }[]>;
}

/** How the conformance kit tries the plugin. */
export interface ExecutorSamples {
  /** Settings for the try. */
  config?: PluginContext['config'];
  /** A session that ends by itself within 10 s. */
  short?: { command?: readonly string[]; kickoff?: string };
  /** A session that goes on until it is interrupted. */
  long?: { command?: readonly string[]; kickoff?: string };
}

export interface ExecutorPlugin {
  kind: 'executor';
  create(context: PluginContext): PluginExecutor | Promise<PluginExecutor>;
  samples?: ExecutorSamples;
}

/** The default export of the entry. */
export const definePlugin = (plugin: ExecutorPlugin): ExecutorPlugin => plugin;
`;
