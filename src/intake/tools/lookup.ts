import type { EvidenceTrust } from '../../contract/schema/planning/evidence.ts';

/** The result of a look-up, with its text unscreened. */
export interface LookupFinding {
  text: string;
  trust: EvidenceTrust;
  repo: string | null;
  commit: string | null;
  path: string | null;
  /** First line of the file in `text`, which is numbered; null without lines. */
  fromLine: number | null;
  toLine: number | null;
}

/** A kind of look-up. `find` throws SvcError or Error. */
export interface Lookup {
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  /** What is looked up, in a few words for people. */
  describeTarget(args: Args): string;
  find(args: Args, signal: AbortSignal): Promise<LookupFinding>;
}

/** Arguments as the model wrote them, unchecked. */
export type Args = Readonly<Record<string, unknown>>;

/** Schema of a look-up's arguments; `fields` by name, `required` are mandatory. */
export const buildArgsSchema = (
  fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  requiredNames: readonly string[] = [],
): Lookup['inputSchema'] => ({
  type: 'object',
  properties: fields,
  required: requiredNames,
  additionalProperties: false,
});

/** A text argument of at most `max` characters; null = missing. Throws Error with the mistake. */
export function readTextArg(args: Args, name: string, max: number): string | null {
  const value = args[name];
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw new Error(`"${name}" must be a string.`);
  if (value.length > max)
    throw new Error(`"${name}" has ${value.length} characters; at most ${max} are allowed.`);
  return value;
}

/** The same for a mandatory argument. */
export function readRequiredTextArg(args: Args, name: string, max: number): string {
  const value = readTextArg(args, name, max);
  if (value === null) throw new Error(`"${name}" is missing: it must be a string.`);
  return value;
}

/** An integer from 1 to `max`; null = missing. */
export function readCountArg(args: Args, name: string, max: number): number | null {
  const value = args[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > max)
    throw new Error(`"${name}" must be a whole number from 1 to ${max}.`);
  return value;
}
