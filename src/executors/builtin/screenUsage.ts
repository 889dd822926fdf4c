import { at, type Fields, fields } from '../../lib/untrusted.ts';

/**
 * Member of an object that has taken the place of its `usage`. The provider's schema refuses a whole
 * answer for a count that is a text, and takes one that is negative: it must see neither.
 */
const OWN_NAME = 'svc_usage';

/** What an object of an answer said in its `usage`; undefined = it has none. */
export const usageIn = (value: unknown): unknown => {
  const usage = at(value, OWN_NAME) ?? at(value, 'usage');
  return usage === null ? undefined : usage;
};

/** Most pieces are a word of an answer, and are not read twice. */
const MAY_HAVE_USAGE = /"usage"|message_start|message_delta/;

/** What Anthropic's schema asks for where an answer begins and ends. */
const NONE = { input_tokens: 0, output_tokens: 0 };

/** JSON has no infinite numbers, and `1e999` is read as one. */
const finite = (_name: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

function withoutUsage(value: Fields, instead: Fields): Fields {
  const { usage, ...rest } = value;
  return usage === undefined || usage === null
    ? { ...rest, ...instead }
    : { ...rest, ...instead, [OWN_NAME]: usage };
}

function screened(piece: Fields): Fields {
  if (piece.type === 'message_start')
    return { ...piece, message: withoutUsage(fields(piece.message), { usage: NONE }) };
  if (piece.type === 'message_delta' || piece.type === 'message')
    return withoutUsage(piece, { usage: NONE });
  return withoutUsage(piece, {});
}

/**
 * An answer of a model's endpoint, or a piece of it, as JSON, with its `usage` under another name
 * ({@link usageIn} reads it). Text that is no object is left as it is.
 */
export function screenUsage(json: string): string {
  if (!MAY_HAVE_USAGE.test(json)) return json;
  try {
    const piece: unknown = JSON.parse(json);
    if (typeof piece !== 'object' || piece === null || Array.isArray(piece)) return json;
    return JSON.stringify(screened(fields(piece)), finite);
  } catch {
    return json;
  }
}
