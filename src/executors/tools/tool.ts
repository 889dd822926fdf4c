import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { AgentJob, ToolEventDraft } from '../../contract/job/agentJob.ts';
import { explainArgumentErrors } from './explainArgumentErrors.ts';

/** What a tool gives back: `text` for the agent to read, `data` for programs. */
export interface ToolAnswer {
  text: string;
  data: Record<string, unknown>;
  /** The call was carried out and answered with a failure, which is recorded; default false. */
  failed?: boolean;
  /** As `untrusted` of a tool, where only some of its answers are; default as the tool is. */
  untrusted?: boolean;
}

/** Thrown by a tool that did nothing: the message says what is wrong and what to do instead. */
export class ToolRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolRefusal';
  }
}

/** What a tool may use during one call. */
export interface ToolCall {
  readonly port: AgentJob;
  /**
   * Names this call; the same again when a restarted session repeats it. Empty for tools that only
   * read.
   */
  readonly key: string;
  /**
   * Aborted when no one waits for the answer any more: the agent went away, or the phase is over.
   */
  readonly signal: AbortSignal;
  /** Sends an event to the job under `key`. Throws ToolRefusal when the job does not take it. */
  send(event: ToolEventDraft): Promise<{ duplicate: boolean }>;
  /**
   * The same together with a command for the dispatcher of the job's sub-runs: both are taken, or
   * neither.
   */
  coordinate(event: ToolEventDraft, command: SubRunsCommand): Promise<{ duplicate: boolean }>;
}

export type SubRunsCommand = NonNullable<Parameters<AgentJob['coordinate']>[1]>;

/** MCP's hints about a tool. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Changes the job's own state; the same call again changes nothing more. */
export const SETS: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Adds something each time. */
export const ADDS: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Type.TObject;
  readonly hints: ToolHints;
  /** Offered only where the workflow of the job has coordinator.enabled true; default false. */
  readonly coordinatorOnly?: boolean;
  /**
   * Offered only where the phase's own `tools:` lists it; default false: also where the phase has
   * no list.
   */
  readonly onlyListed?: boolean;
  /**
   * Its `data` holds text from outside: the agent gets it fenced, as data that gives no
   * instructions, with invisible characters made visible; `text` is then our own line above it.
   * Default false.
   */
  readonly untrusted?: boolean;
  /**
   * An older name that still works: listed as deprecated, and not shown to agents. Default false.
   */
  readonly deprecated?: boolean;
  /**
   * Checks the arguments, then does it. Throws ToolRefusal when they are wrong or the job refuses.
   */
  run(args: unknown, call: ToolCall): Promise<ToolAnswer>;
}

interface ToolDefinition<Input extends Type.TObject> extends Omit<Tool, 'input' | 'run'> {
  input: Input;
  run(args: Type.Static<Input>, call: ToolCall): Promise<ToolAnswer>;
}

/** Makes a tool whose `run` sees checked arguments only. */
export function defineTool<Input extends Type.TObject>(definition: ToolDefinition<Input>): Tool {
  // Compiled at the first call: a phase uses a few of the tools, and start-up should not pay for
  // all.
  let validator: ReturnType<typeof Compile<Input>> | undefined;
  return {
    ...definition,
    async run(args, call) {
      validator ??= Compile(definition.input);
      if (!validator.Check(args))
        throw new ToolRefusal(
          explainArgumentErrors(definition.name, definition.input, validator.Errors(args)),
        );
      return definition.run(args, call);
    },
  };
}

/** Properties of a tool's arguments; no other field is allowed. */
export const createInputSchema = <Properties extends Type.TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

/** A text field of 1 to `maxLength` characters. */
export const createTextField = (description: string, maxLength: number) =>
  Type.String({ description, minLength: 1, maxLength });
