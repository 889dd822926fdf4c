import type { EvidenceTrust } from '../../contract/schema/planning/evidence.ts';

/** What a look-up has found; text as it came, nothing taken out yet. */
export interface LookupFinding {
  text: string;
  trust: EvidenceTrust;
  repo: string | null;
  commit: string | null;
  path: string | null;
  /** Lines of the file that `text` has, numbered; null where it has none. */
  fromLine: number | null;
  toLine: number | null;
}

/** One kind of look-up. `find` throws SvcError or Error for what cannot be looked up. */
export interface Lookup {
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  /** What is looked up, in a few words, for people. */
  describeTarget(args: Args): string;
  find(args: Args, signal: AbortSignal): Promise<LookupFinding>;
}

/** Arguments as the model wrote them: anything at all. */
export type Args = Readonly<Record<string, unknown>>;

/** The schema of a look-up's arguments; `fields` by name, `required` must be there. */
export const buildArgsSchema = (
  fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  required: readonly string[] = [],
): Lookup['inputSchema'] => ({
  type: 'object',
  properties: fields,
  required,
  additionalProperties: false,
});

/** A text argument, at most `max` characters; null = it is left out. Throws Error with what is wrong. */
export function readTextArg(args: Args, name: string, max: number): string | null {
  const value = args[name];
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw new Error(`"${name}" must be a string.`);
  if (value.length > max)
    throw new Error(`"${name}" has ${value.length} characters; at most ${max} are allowed.`);
  return value;
}

/** The same where it must be there. */
export function readRequiredTextArg(args: Args, name: string, max: number): string {
  const value = readTextArg(args, name, max);
  if (value === null) throw new Error(`"${name}" is missing: it must be a string.`);
  return value;
}

/** A whole number from 1 on, at most `max`; null = it is left out. */
export function readCountArg(args: Args, name: string, max: number): number | null {
  const value = args[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > max)
    throw new Error(`"${name}" must be a whole number from 1 to ${max}.`);
  return value;
}
