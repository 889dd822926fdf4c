import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { AgentJob, ToolEventDraft } from '../../contract/job/agentJob.ts';

interface SchemaError {
  keyword: string;
  instancePath: string;
  message: string;
  params: object;
}

const readErrorParamNames = (params: object, member: string): string[] => {
  const value: unknown = Object.entries(params).find(([key]) => key === member)?.[1];
  return Array.isArray(value) ? value.map(String) : [];
};

const joinArgumentPath = (path: string, name: string): string =>
  path === '' ? name : `${path.slice(1).replaceAll('/', '.')}.${name}`;

function describeArgumentError(error: SchemaError): string | null {
  switch (error.keyword) {
    // The error of `additionalProperties` says the same, with the names.
    case 'boolean':
      return null;
    case 'additionalProperties':
      return readErrorParamNames(error.params, 'additionalProperties')
        .map((name) => `"${joinArgumentPath(error.instancePath, name)}" is not a field of it`)
        .join('; ');
    case 'required':
      return readErrorParamNames(error.params, 'requiredProperties')
        .map((name) => `"${joinArgumentPath(error.instancePath, name)}" is missing`)
        .join('; ');
    case 'enum':
      return `"${joinArgumentPath(error.instancePath, '').slice(0, -1)}" must be one of ${readErrorParamNames(error.params, 'allowedValues').join(', ')}`;
    default:
      return error.instancePath === ''
        ? `the arguments ${error.message}`
        : `"${joinArgumentPath(error.instancePath, '').slice(0, -1)}" ${error.message}`;
  }
}

/**
 * What is wrong with a tool's arguments, field by field, and which fields exist, so that the next
 * call can be right.
 */
export function explainArgumentErrors(
  tool: string,
  input: Type.TObject,
  errors: readonly SchemaError[],
): string {
  const requiredNames: readonly string[] = Array.isArray(input.required) ? input.required : [];
  const signature = Object.keys(input.properties).map((name) =>
    requiredNames.includes(name) ? name : `${name}?`,
  );
  const wrong = errors.map(describeArgumentError).filter((one) => one !== null);
  return `${tool}: nothing was done. ${wrong.join('; ')}. Fields: ${signature.length > 0 ? signature.join(', ') : 'none'} (? = may be left out).`;
}

/** A tool's answer: `text` for the agent, `data` for programs. */
export interface ToolAnswer {
  text: string;
  data: Record<string, unknown>;
  /** The call was carried out and failed, which is recorded; default false. */
  failed?: boolean;
  /** Overrides `untrusted` of the tool for this answer. */
  untrusted?: boolean;
}

/** Thrown by a tool that did nothing: the message says what is wrong and what to do instead. */
export class ToolRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolRefusal';
  }
}

export interface ToolCall {
  readonly port: AgentJob;
  /**
   * Identifies the call; the same when a restarted session repeats it. Empty for tools that only
   * read.
   */
  readonly key: string;
  /** Aborted when no one waits for the answer any more: the agent left, or the phase is over. */
  readonly signal: AbortSignal;
  /** Sends an event to the job under `key`. Throws ToolRefusal when the job refuses it. */
  send(event: ToolEventDraft): Promise<{ duplicate: boolean }>;
  /**
   * Sends an event together with a command for the dispatcher of the job's sub-runs: both or
   * neither.
   */
  coordinate(event: ToolEventDraft, command: SubRunsCommand): Promise<{ duplicate: boolean }>;
}

export type SubRunsCommand = NonNullable<Parameters<AgentJob['coordinate']>[1]>;

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
/** The tool changes the job's own state; repeating a call changes nothing more. */
export const SETS: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** The tool adds something at each call. */
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
  /** Offered only if the job's workflow has coordinator.enabled true; default false. */
  readonly coordinatorOnly?: boolean;
  /**
   * Offered only if the phase's own `tools:` lists it; default false: also if the phase has no
   * list.
   */
  readonly onlyListed?: boolean;
  /**
   * Its `data` holds foreign text: the agent gets it fenced, as data without instructions and with
   * invisible characters made visible; `text` is then our line above it. Default false.
   */
  readonly untrusted?: boolean;
  /** An older name that still works: listed as deprecated, hidden from agents. Default false. */
  readonly deprecated?: boolean;
  /** Checks the arguments, then runs. Throws ToolRefusal when they are wrong or the job refuses. */
  run(args: unknown, call: ToolCall): Promise<ToolAnswer>;
}

interface ToolDefinition<Input extends Type.TObject> extends Omit<Tool, 'input' | 'run'> {
  input: Input;
  run(args: Type.Static<Input>, call: ToolCall): Promise<ToolAnswer>;
}

export function defineTool<Input extends Type.TObject>(definition: ToolDefinition<Input>): Tool {
  // Compiled at the first call: a phase uses few of the tools, and start-up should not pay for all.
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

/** Properties of a tool's arguments; other fields are refused. */
export const createInputSchema = <Properties extends Type.TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

export const createTextField = (description: string, maxLength: number) =>
  Type.String({ description, minLength: 1, maxLength });
