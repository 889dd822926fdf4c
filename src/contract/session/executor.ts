import type { CredentialPool } from '../../base/agents/credentialPool.ts';
import type { QuotaLimit, QuotaUse } from '../../base/agents/quotaKinds.ts';
import type { SessionFault } from '../../base/errors/sessionFaults.ts';
import type { McpServer } from '../schema/session/mcpServer.ts';
import type { PhaseModel } from '../schema/runner/settings.ts';
import type { ChatRequest, ChatRun } from '../planning/chat.ts';
import type { SessionSandbox } from './sandbox.ts';
import type { Metering } from './metering.ts';
import type { CallJudge } from './ownCall.ts';
import type { SessionWatcher } from './seenCall.ts';
import type { StopReason, TurnStop } from '../../base/jobs/stopReasons.ts';
import type { Usage } from '../schema/session/usage.ts';
import type { SessionRef } from './sessionRef.ts';
import type { Billing, UsageReport } from './usageReport.ts';

/** What an executor can do; the runner relies on nothing that is false here. */
export interface ExecutorCapabilities extends Metering {
  /** Its sessions have `steering`: they take messages and interrupts while they work. */
  steering: boolean;
  /**
   * A message sent during a turn reaches the agent within that turn. False: the runner sends only
   * between turns.
   */
  foldMidTurn: boolean;
  /** Interrupting cancels tool calls in flight. */
  cancelsToolCalls: boolean;
  /**
   * A session can continue after the process that ran it is gone: `session` events give an id,
   * `SessionRequest.resume` takes it.
   */
  resume: boolean;
  /** Loads skills of the overlay by itself. */
  skills: boolean;
  /** Takes a system prompt. */
  systemPrompt: boolean;
  /**
   * How it holds plan-mode chats. `own-loop`: the runner asks the model itself. `read-only-agent`:
   * a program that is given the tools of the chat and no other. `none`: it has no `chat`. Default
   * `none`.
   */
  chat?: 'own-loop' | 'read-only-agent' | 'none';
  /**
   * Its sessions have no tools of their own where `builtInTools` is empty, whatever the model does.
   * Only then a chat may fall back on `run`. Default false.
   */
  holdsAllowlist?: boolean;
}

/** One agent session to be run: everything it may know, nothing it may not. */
export interface SessionRequest extends SessionRef, SessionWatcher, CallJudge {
  /** The job's checkout, or the job's folder if it has none: working directory of the agent. */
  cwd: string;
  /** Folder of this session alone: prompts, log, `mcp.json`; mode 0700. */
  sessionDir: string;
  /** The job's overlay as files, absolute: `.claude/CLAUDE.md`, `.claude/skills/`, `memory/`. */
  overlayDir: string;
  systemPrompt: string;
  /** First message of the session; of the messages that it tells of, {@link KICKOFF} is the id. */
  kickoff: string;
  /**
   * The agent's own session to continue, as a `session` event named it; the kickoff is then its
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
  /** Every program is started through its `wrap`. Left out: nothing confines them, or a plugin runs them. */
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

/** Id under which the delivery of the kickoff itself is reported. */
export const KICKOFF = 'kickoff';

export type SessionEvent =
  /** A whole line, without line ends. */
  | { type: 'log'; stream: 'stdout' | 'stderr' | 'control'; line: string }
  /** Part of what the agent says, or thinks, as it comes; parts may end anywhere. */
  | { type: 'token' | 'thinking'; text: string }
  /**
   * A tool call of the agent's, its own or one of a tool server; `id` is the same in both. `detail`
   * is one short line.
   */
  | { type: 'tool'; at: 'start' | 'end'; id: string; name: string; ok: boolean; detail: string }
  /**
   * Tokens since the last such event, not the sum. `inputTokens` is all input: what was read from a
   * cache (`cachedInputTokens`) and written to one (`cacheWriteTokens`) is part of it, whatever the
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
   * The outcome of a message: `delivered`, it is part of what the model is asked; `acknowledged`,
   * the model has begun its answer to that. In this order, each at most once for a message.
   */
  | { type: 'message'; id: string; state: 'delivered' | 'acknowledged' }
  /**
   * A turn is over. Only from sessions with `steering`, once for each turn; the session waits for
   * more, or for `close`.
   */
  | { type: 'turn'; stopReason: TurnStop; error: string | null };

export interface SessionResult {
  stopReason: StopReason;
  /** Last words where it ended in an error, a limit or a quota, or died; null otherwise. */
  error: string | null;
  /** The sum of the whole session; null where it is not known. */
  usage: Usage | null;
  /**
   * With stopReason `error`: where it comes from, which says what becomes of the job; left out = it
   * is not known, and the job waits for a person.
   */
  fault?: SessionFault;
  /** Exit code of the program where its end was the failure; left out = it did not exit by itself. */
  exitCode?: number;
  /**
   * With stopReason `quota`: when the endpoint takes requests again, epoch ms; null or left out =
   * it does not say. One that is not in the future, or more than 31 days away, counts as null.
   */
  resetsAt?: number | null;
  /** With stopReason `quota`: which limit it is; left out = one that is used up for a while. */
  quota?: QuotaLimit;
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
   * Stops the running turn and nothing else: a `turn` event with stopReason `interrupted` follows,
   * and the session continues with the next message. Resolves true when the agent has acknowledged
   * it, false when it did not within `ackMs`; true immediately between turns. Never rejects.
   */
  interrupt(ackMs: number): Promise<boolean>;
  /**
   * Checks whether the agent reaches its tool server and reconnects it if it does not. Resolves
   * whether it is reached. Never rejects.
   */
  heal(): Promise<boolean>;
  /**
   * No more input: the session ends after the turn that runs, or immediately between turns. Its
   * result then has the stopReason of its last turn: `interrupted` after an interrupt. Later calls
   * change nothing.
   */
  close(): void;
}

/** A running session. */
export interface Session {
  /**
   * Never rejects: what goes wrong is a result with stopReason `error`. No process of the session
   * is left then.
   */
  readonly result: Promise<SessionResult>;
  /**
   * How to talk to the agent while it works; null where the executor cannot. Without it a session
   * is one turn.
   */
  readonly steering: Steering | null;
  /**
   * Ends it for good: asks politely, then kills the whole process group after `graceMs`. `result`
   * follows.
   */
  end(graceMs: number): Promise<void>;
}

/** What is known of a session before it is made. */
export type SessionNeed = Pick<SessionRequest, 'llm' | 'command'>;

/** How an agent finds the tools of its job. */
export interface ToolForm {
  /**
   * What it sees before the name of a tool, such as `mcp__svc__`; empty = nothing; null = it is not
   * known.
   */
  prefix: string | null;
  /** It is offered them as tools with descriptions, so its prompt does not list them. */
  offered: boolean;
}

export interface Executor {
  id: string;
  /** What may follow its id and a colon, as in `acp:gemini`; left out, it checks that itself. */
  variants?: readonly string[];
  capabilities: ExecutorCapabilities;
  /**
   * How agents of this provider, such as `acp:gemini`, find the tools of the job. Default, and
   * always so for installed plugins: as a program that runs `svc tool <name>`, with a list of them
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
   * How sessions of this provider, such as `acp:gemini`, are metered. Default, and always so for
   * installed plugins: as `capabilities` say.
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
   * Starts a session. Throws SvcError `bad-argument` when the request lacks what this executor
   * needs.
   */
  run(request: SessionRequest): Promise<Session>;
  /**
   * Answers one turn of a plan-mode chat. Left out: see `capabilities.chat`. Throws SvcError
   * `bad-argument` when the request lacks what this executor needs.
   */
  chat?: ((request: ChatRequest) => Promise<ChatRun>) | undefined;
  /**
   * Why a chat with this provider, such as `acp:gemini`, cannot be held read-only, as a clause;
   * null = it can. Default: it can where it has `chat`.
   */
  cannotChat?(need: SessionNeed): string | null;
  /**
   * Ends what an earlier process of the runner left running under `markerPrefix`; answers how many
   * process groups.
   */
  endOrphans(markerPrefix: string): Promise<number>;
}
