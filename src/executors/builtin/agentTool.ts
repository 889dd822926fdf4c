import { toFields } from '../../base/json/untrusted.ts';

/** The result of a call, for the model. */
export interface ToolResult {
  text: string;
  failed: boolean;
}

export interface ToolCall {
  id: string;
  name: string;
  input: unknown;
}

export interface AgentTool {
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  /** Id of its external server; left out = the tool belongs to svc. */
  server?: string;
  /**
   * Carries the call out. Throws ToolFault for what the model can fix. Settles soon after `signal`
   * is aborted.
   */
  run(args: Arguments, signal: AbortSignal): Promise<ToolResult>;
}

/** A call that cannot be carried out as the model made it; the message is for the model. */
export class ToolFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolFault';
  }
}

export const toDoneResult = (text: string): ToolResult => ({ text, failed: false });
export const toFailedResult = (text: string): ToolResult => ({ text, failed: true });

export class Arguments {
  readonly values: Readonly<Record<string, unknown>>;

  constructor(input: unknown) {
    this.values = { ...toFields(input) };
  }

  text(name: string): string {
    const value = this.values[name];
    if (typeof value !== 'string')
      throw new ToolFault(`"${name}" is missing: it must be a string.`);
    return value;
  }

  textOr<T>(name: string, otherwise: T): string | T {
    return this.values[name] === undefined || this.values[name] === null
      ? otherwise
      : this.text(name);
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  /** A whole number from 1 on. */
  countOr(name: string, otherwise: number): number {
    const value = this.values[name];
    if (value === undefined || value === null) return otherwise;
    if (!Number.isSafeInteger(value) || Number(value) < 1)
      throw new ToolFault(`"${name}" must be a whole number, 1 or more.`);
    return Number(value);
  }
}

/** The schema of a call; `fields` by name, of which those named in `required` must be there. */
export const buildInputSchema = (
  fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  requiredNames: readonly string[],
): AgentTool['inputSchema'] => ({
  type: 'object',
  properties: fields,
  required: requiredNames,
  additionalProperties: false,
});

/** Members of the arguments that say most about a call; the first one present is shown. */
const TELLING = [
  'command',
  'file_path',
  'pattern',
  'skill',
  'path',
  'phase',
  'title',
  'id',
  'name',
];

export function formatBuiltinCallDetail({ input }: ToolCall): string {
  const { values } = new Arguments(input);
  const telling = TELLING.map((name) => values[name]).find((value) => typeof value === 'string');
  if (typeof telling === 'string') return telling;
  return Object.keys(values).length === 0 ? '' : JSON.stringify(values);
}
