import type { McpServer } from '../schema/mcpServer.ts';
import type { PhaseModel } from '../schema/settings.ts';
import type { StopReason, Usage } from './session.ts';

/** What an executor can do; the runner relies on nothing that is false here. */
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

/** One agent session to be run: everything it may know, nothing it may not. */
export interface SessionRequest {
  jobId: string;
  visit: number;
  session: number;
  phase: string;
  /** The job's checkout, or the job's folder while there is none: working directory of the agent. */
  cwd: string;
  /** Folder of this session alone: prompts, log, `mcp.json`; mode 0700. */
  sessionDir: string;
  systemPrompt: string;
  kickoff: string;
  /** The phase's tool server. */
  tools: { url: string; token: string };
  /** External tool servers that the agent may use beside it; what they hold of secrets goes to the agent and nowhere else. */
  mcpServers: readonly McpServer[];
  /** The only tools of the executor's own that the agent may use: read, write, edit, shell, glob, grep, skill; null = all. */
  builtInTools: readonly string[] | null;
  /** Who was chosen to run it, and the model that the phase asks for. */
  llm: PhaseModel;
  /** From the agent markdown's front matter; null where it has none. Placeholders are filled in already. */
  command: readonly string[] | null;
  /** The agent's whole environment, built from a list. */
  env: Readonly<Record<string, string>>;
  limits: { timeMs: number; outputBytes: number };
  /** Marks every process of the session, so that a later start finds those that outlived a crash. */
  marker: string;
  /** Called for each line of output and each usage report, in order. While a promise is pending, no more output is read. */
  onEvent(event: SessionEvent): Promise<unknown> | undefined;
}

export type SessionEvent =
  | { type: 'log'; stream: 'stdout' | 'stderr' | 'control'; line: string }
  | { type: 'usage'; usage: Usage };

export interface SessionResult {
  stopReason: StopReason;
  /** Last words where it ended in an error or a limit; null otherwise. */
  error: string | null;
  usage: Usage | null;
}

/** A running session. */
export interface Session {
  /** Never rejects: what goes wrong is a result with stopReason `error`. */
  readonly result: Promise<SessionResult>;
  /** Ends it: asks politely, then kills the whole process group after `graceMs`. `result` follows. */
  interrupt(graceMs: number): Promise<void>;
}

export interface Executor {
  id: string;
  capabilities: ExecutorCapabilities;
  /** Starts a session. Throws SvcError `bad-argument` when the request lacks what this executor needs. */
  run(request: SessionRequest): Promise<Session>;
  /** Ends what an earlier process of the runner left running under `markerPrefix`; answers how many process groups. */
  endOrphans(markerPrefix: string): Promise<number>;
}
