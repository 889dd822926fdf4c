import { readAtPath, type Fields } from '../../base/json/untrusted.ts';

/**
 * Members in which svc hides values from the provider: it accepts a negative count, but rejects a
 * whole answer for a count that is a text or an error of unknown form.
 */
const OWN_USAGE = 'svc_usage';
export const OWN_ERROR = 'svc_error';

/** Anthropic's schema requires these where an answer begins and ends. */
const NONE = { input_tokens: 0, output_tokens: 0 };

/** What an object of an answer said in its `usage`; undefined = none. */
export const readUsageMember = (value: unknown): unknown => {
  const usage = readAtPath(value, OWN_USAGE) ?? readAtPath(value, 'usage');
  return usage === null ? undefined : usage;
};

/** The object with its `usage` under the name that {@link readUsageMember} reads. */
export function toOwnUsage(value: Fields, wire: 'anthropic' | 'openai'): Fields {
  const { usage, ...rest } = value;
  const instead = wire === 'anthropic' ? { usage: NONE } : {};
  return usage === undefined || usage === null
    ? { ...rest, ...instead }
    : { ...rest, ...instead, [OWN_USAGE]: usage };
}

/** JSON has no infinite numbers, and `1e999` is read as one. */
const toFinite = (_name: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

export const stringifyFinite = (value: unknown): string => JSON.stringify(value, toFinite);
