import type { QuotaLimit, QuotaUse } from '../../base/agents/quotaKinds.ts';
import type { PhaseModel } from '../schema/runner/settings.ts';
import type { SessionSandbox } from '../session/sandbox.ts';
import type { Usage } from '../schema/session/usage.ts';
import type { UsageReport } from '../session/usageReport.ts';

/**
 * Something that a chat can look at. There is no tool that writes: what is not in the list of a
 * request does not exist for the model, and that is what makes a chat read-only.
 */
export interface ReadTool {
  /** `tracker_get_issue`; programs see it with the prefix of their tool server. */
  name: string;
  description: string;
  /** JSON schema of the arguments: an object. */
  inputSchema: Readonly<Record<string, unknown>>;
  /**
   * Looks it up, records it as evidence and answers the text for the model. Never rejects: what
   * went wrong is a failed answer. Settles soon after `signal` is aborted.
   */
  run(
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ text: string; failed: boolean }>;
}

/** Text of an earlier turn, as it is sent: the same bytes in every later turn until it is folded. */
export interface ChatEntry {
  /** Evidence of an earlier turn is an entry of the user. */
  role: 'user' | 'assistant';
  text: string;
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
  /** What the last turn answered as `resume`; null = none, and `history` says everything. */
  resume: string | null;
  /**
   * Folder of this chat alone, mode 0700, made by the caller and removed by it when the turn is
   * over. Nothing may be written outside of it.
   */
  stateDir: string;
  /**
   * The tool server of this turn for agents that are programs: `tools`, which are those of the
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
  /** Stops the turn; `result` then has stop `interrupted`, with its text so far. */
  signal: AbortSignal;
  /**
   * Called for each part as it comes. While a promise is pending, no more of the answer is read.
   * Look-ups are not parts: the tools report themselves.
   */
  onPart(part: ChatPart): Promise<unknown> | undefined;
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

/**
 * Why a turn is over. `rounds`: at `maxRounds`, after the closing words. `cut`: at the longest
 * answer of the model.
 */
export type ChatStop = 'end' | 'rounds' | 'cut' | 'refusal' | 'interrupted' | 'quota' | 'error';

export interface ChatResult {
  stop: ChatStop;
  /** For people, with `error` and `quota`; null otherwise. */
  error: string | null;
  /** With `quota`: when the endpoint takes requests again, epoch ms; null = it does not say. */
  resetsAt: number | null;
  /** With `quota`: which limit it is; left out = one that is used up for a while. */
  quota?: QuotaLimit;
  /** Sum of the turn; null where it is not known. */
  usage: Usage | null;
  /** Tokens that the last request filled of the window; null where it is not known. */
  contextTokens: number | null;
  /** How often the model was asked and called something. */
  rounds: number;
  /** With which the next turn continues; null = it cannot, and `history` says everything again. */
  resume: string | null;
}

/** A turn that is running. */
export interface ChatRun {
  /** It runs as a session, of an executor without `chat`. Left out: it does not. */
  readonly fallback?: true;
  /** Never rejects. No process of the turn is left then. */
  readonly result: Promise<ChatResult>;
}
