import {
  readAtPath,
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../../shared/json/untrusted.ts';

/**
 * Keywords that the endpoints of Anthropic and OpenAI refuse at the root of an input schema: with
 * one such tool they refuse the whole request.
 */
const REFUSED = [
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'enum',
  'const',
  'if',
  'then',
  'else',
  'dependentSchemas',
] as const;
/** Those whose members describe arguments. */
const COMBINATORS = ['oneOf', 'anyOf', 'allOf'] as const;
/** Longest list of alternatives that a description gets, characters. */
const MAX_NOTE_CHARS = 4_000;
/** How deep alternatives within alternatives are looked for. */
const MAX_DEPTH = 5;

const pickStringNames = (value: unknown): string[] =>
  toListOrEmpty(value).filter((name): name is string => typeof name === 'string');

/** A member of a combinator, with a definition of the same schema in place of a reference. */
function resolve(root: Fields, member: unknown): Fields {
  const schema = toFields(member);
  const ref = toStringOrEmpty(schema.$ref);
  return ref.startsWith('#/')
    ? { ...toFields(readAtPath(root, ...ref.slice(2).split('/'))), ...schema }
    : schema;
}

/** What the alternatives of a schema describe, nearest first, and what all of it requires. */
function gatherSchemaProperties(
  root: Fields,
  schema: Fields,
  depth: number,
): { properties: Fields[]; required: string[] } {
  const found = {
    properties: [toFields(schema.properties)],
    required: pickStringNames(schema.required),
  };
  if (depth >= MAX_DEPTH) return found;
  const members = COMBINATORS.flatMap((keyword) =>
    toListOrEmpty(schema[keyword]).map((member) => ({ keyword, member: resolve(root, member) })),
  );
  const branches = [schema.then, schema.else].map((member) => ({
    keyword: 'if',
    member: resolve(root, member),
  }));
  for (const { keyword, member } of [...members, ...branches]) {
    const inner = gatherSchemaProperties(root, member, depth + 1);
    found.properties.push(...inner.properties);
    if (keyword === 'allOf') found.required.push(...inner.required);
  }
  return found;
}

/**
 * The schema with a plain object at its root, which has `properties`: those of all alternatives are
 * among them, those that every one of `allOf` requires are required, and the alternatives are in
 * `note`, for the description. `note` is empty where there was nothing to move.
 */
export function toRootObject(schema: Fields): { schema: Fields; note: string } {
  const moved = REFUSED.filter((keyword) => schema[keyword] !== undefined);
  if (moved.length === 0)
    return {
      schema: schema.properties === undefined ? { ...schema, properties: {} } : schema,
      note: '',
    };
  const rest = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !moved.some((one) => one === keyword)),
  );
  const gathered = gatherSchemaProperties(schema, schema, 0);
  const properties = Object.fromEntries(gathered.properties.toReversed().flatMap(Object.entries));
  const required = new Set(gathered.required);
  const conditions = JSON.stringify(
    Object.fromEntries(moved.map((keyword) => [keyword, schema[keyword]])),
  );
  return {
    schema: { ...rest, properties, ...(required.size > 0 ? { required: [...required] } : {}) },
    note: `The arguments must also match this JSON schema: ${conditions.slice(0, MAX_NOTE_CHARS)}`,
  };
}
