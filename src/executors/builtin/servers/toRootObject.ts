import { type Fields, fields, list } from '../../../lib/untrusted.ts';

/**
 * Keywords that the endpoints of Anthropic and OpenAI refuse at the root of an input schema: with
 * one such tool they refuse the whole request.
 */
const REFUSED = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else'] as const;
/** Those whose members describe arguments. */
const COMBINATORS = ['oneOf', 'anyOf', 'allOf'] as const;
/** Longest list of alternatives that a description gets, characters. */
const MAX_NOTE_CHARS = 4_000;

const names = (value: unknown): string[] =>
  list(value).filter((name): name is string => typeof name === 'string');

/**
 * The schema with a plain object at its root: the properties of all alternatives are properties, those
 * that every one of `allOf` requires are required, and the alternatives are in `note`, for the
 * description. `note` is empty where there was nothing to move.
 */
export function toRootObject(schema: Fields): { schema: Fields; note: string } {
  const moved = REFUSED.filter((keyword) => schema[keyword] !== undefined);
  if (moved.length === 0) return { schema, note: '' };
  const rest = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !moved.some((one) => one === keyword)),
  );
  const members = COMBINATORS.flatMap((keyword) => list(schema[keyword]).map(fields));
  const properties = Object.assign(
    {},
    ...members.toReversed().map((member) => fields(member.properties)),
    fields(schema.properties),
  );
  const required = new Set([
    ...names(schema.required),
    ...list(schema.allOf).flatMap((member) => names(fields(member).required)),
  ]);
  const conditions = JSON.stringify(
    Object.fromEntries(moved.map((keyword) => [keyword, schema[keyword]])),
  );
  return {
    schema: { ...rest, properties, ...(required.size > 0 ? { required: [...required] } : {}) },
    note: `The arguments must also match this JSON schema: ${conditions.slice(0, MAX_NOTE_CHARS)}`,
  };
}
