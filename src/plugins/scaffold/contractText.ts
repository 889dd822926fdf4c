/** What an executor plugin sees of svc, as a file of its own: so a plugin compiles without svc. A test holds it against the contract. */
export const CONTRACT_TEXT = `// The contract between svc and a plugin of kind executor, version 1. Written by \`svc plugin init\`; do not change it.

/** What the executor can do; the runner relies on nothing that is false here. The manifest says the same. */
export interface ExecutorCapabilities {
  /** A message sent during a turn reaches the agent within that turn. */
  foldMidTurn: boolean;
  /** Interrupting cancels tool calls in flight. */
  cancelsToolCalls: boolean;
  /** A session can go on in a new process. */
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
  /** Holds system.md, kickoff.md, session.json and mcp.json of this session; also in SVC_SESSION_DIR. */
  sessionDir: string;
  systemPrompt: string;
  kickoff: string;
  /** The phase's tool server (MCP, streamable HTTP); the token is a bearer token and must not be printed. */
  tools: { url: string; token: string };
  /** Other tool servers that the agent may use. Their env and headers hold secrets: give them to the agent, print nothing of them. */
  mcpServers: readonly McpServer[];
  /** The only tools of your own that the agent may use: read, write, edit, shell, glob, grep, skill; null = all. */
  builtInTools: readonly string[] | null;
  /** What the phase asks for: your id, the model as you name it, the effort in your words; null = your choice. */
  llm: { provider: string; model: string | null; reasoningEffort: string | null };
  /** \`command:\` of the agent markdown. */
  command: readonly string[] | null;
  /** The whole environment for the agent's processes. */
  env: Readonly<Record<string, string>>;
  limits: { timeMs: number; outputBytes: number };
  marker: string;
  /** Say a line or a usage. Wait for the promise before you say more: it settles when the line is kept. */
  onEvent(event: SessionEvent): Promise<unknown> | undefined;
}

/** Tokens of the session; whole numbers. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
}

export type SessionEvent =
  /** One line, without line ends. */
  | { type: 'log'; stream: 'stdout' | 'stderr' | 'control'; line: string }
  | { type: 'usage'; usage: Usage };

export interface SessionResult {
  /** end_turn: done. pause_turn: go on later. The others say why it ended early. */
  stopReason: 'end_turn' | 'pause_turn' | 'interrupted' | 'error' | 'limit';
  /** Last words where it ended in an error; null otherwise. */
  error: string | null;
  usage: Usage | null;
}

export interface Session {
  /** Never rejects. After it no more events. */
  readonly result: Promise<SessionResult>;
  /** End it: politely, and by force after \`graceMs\`. \`result\` follows. */
  interrupt(graceMs: number): Promise<void>;
}

export interface PluginContext {
  /** Settings of the plugin, checked against the manifest, defaults filled in. */
  config: Readonly<Record<string, string | number | boolean>>;
  clock: { now(): number; at(atMs: number, run: () => void): () => void };
  /** Asks a URL; addresses of this machine and its network only where \`plugins.installed.<id>.allowHosts\` names the host. */
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
