/**
 * A call of a tool in words that hold for every agent; the endpoint translates them into the
 * agent's own.
 */
export type Call =
  /** A tool of the job's tool server, e.g. `goto_phase`. */
  | { svc: string; args?: Readonly<Record<string, unknown>> }
  /** A tool of another tool server, e.g. `find` of `shop`. */
  | { server: string; mcp: string; args?: Readonly<Record<string, unknown>> }
  | { shell: string }
  | { read: string }
  | { write: string; content: string }
  /** A tool by exactly this name, whether the agent offers it or not. */
  | { tool: string; args?: Readonly<Record<string, unknown>> };

export type Stop = 'end_turn' | 'tool_use' | 'max_tokens' | 'pause_turn' | 'refusal';

export interface Tokens {
  input: number;
  output: number;
  /** Part of `input` that came out of a cache. */
  cached: number;
  /** Part of `input` that was written to one; default 0. Only Anthropic's wire tells it. */
  written?: number;
}

export interface Failure {
  status: number;
  /** How often in a row; after that the step is played. Default: always. */
  times?: number;
  retryAfter?: string;
  /** Default: the status in words. */
  message?: string;
}

export interface Step {
  think?: string;
  say?: string;
  calls?: readonly Call[];
  /** Default: `tool_use` where there are calls, else `end_turn`. */
  stop?: Stop;
  /** Default: a quarter of the characters of request and reply. */
  tokens?: Tokens;
  /** Headers of the answer beside the usual ones; default: none. */
  headers?: Readonly<Record<string, string>>;
  /** Wait before the first byte, ms; default 0. */
  waitMs?: number;
  /** Wait between two pieces of a stream, ms; default 0. */
  everyMs?: number;
  /** Characters of a piece of text; default 24. Only Anthropic's wire heeds it. */
  pieceChars?: number;
  /** `at once`: never answers; `midway`: stops after the first piece of text. */
  hang?: 'at once' | 'midway';
  /** How often in a row the connection breaks after the first piece of text. Default 0. */
  cut?: number;
  fail?: Failure;
}

export interface ToolAnswer {
  text: string;
  failed: boolean;
}

export interface Scene {
  /** Name behind the last `@@`. */
  marker: string;
  /** Answers of tools since the marker, oldest first. */
  answers: readonly ToolAnswer[];
  /** Texts of the user since the marker, the one with the marker included, answers of tools not. */
  said: readonly string[];
  system: string;
  offered: readonly string[];
}

/**
 * A program for the model. It is played from its beginning for each request, with the answers that
 * the conversation holds, so it must do the same on the same answers and may not look at anything
 * else. It yields a call and is given the answer; what it returns ends the turn.
 */
export type Play = (scene: Scene) => Generator<Call | Step, string | Step, ToolAnswer>;

/** Replies in order, or a program. After the last reply the model says that it is done. */
export type Script = readonly Step[] | Play;

/** By the marker that chooses them: `@@planner` in the conversation plays `planner`. */
export type Scripts = Readonly<Record<string, Script>>;
