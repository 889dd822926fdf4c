import {
  readAtPath,
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../../base/json/untrusted.ts';

/**
 * Keywords that Anthropic's and OpenAI's endpoints refuse at the root of an input schema: one such
 * tool makes them refuse the whole request.
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
/** Keywords whose members describe arguments. */
const COMBINATORS = ['oneOf', 'anyOf', 'allOf'] as const;
const MAX_NOTE_CHARS = 4_000;
/** Deepest nesting of alternatives that is searched. */
const MAX_DEPTH = 5;

const pickStringNames = (value: unknown): string[] =>
  toListOrEmpty(value).filter((name): name is string => typeof name === 'string');

function resolve(root: Fields, member: unknown): Fields {
  const schema = toFields(member);
  const ref = toStringOrEmpty(schema.$ref);
  return ref.startsWith('#/')
    ? { ...toFields(readAtPath(root, ...ref.slice(2).split('/'))), ...schema }
    : schema;
}

function gatherSchemaProperties(
  root: Fields,
  schema: Fields,
  depth: number,
): { properties: Fields[]; required: string[] } {
  const collection = {
    properties: [toFields(schema.properties)],
    required: pickStringNames(schema.required),
  };
  if (depth >= MAX_DEPTH) return collection;
  const members = COMBINATORS.flatMap((keyword) =>
    toListOrEmpty(schema[keyword]).map((member) => ({ keyword, member: resolve(root, member) })),
  );
  const branches = [schema.then, schema.else].map((member) => ({
    keyword: 'if',
    member: resolve(root, member),
  }));
  for (const { keyword, member } of [...members, ...branches]) {
    const inner = gatherSchemaProperties(root, member, depth + 1);
    collection.properties.push(...inner.properties);
    if (keyword === 'allOf') collection.required.push(...inner.required);
  }
  return collection;
}

/**
 * The schema with a plain object at its root: its `properties` include those of all alternatives,
 * what every member of `allOf` requires is required, and `note` describes the alternatives. `note`
 * is empty if nothing was moved.
 */
export function toRootObject(schema: Fields): { schema: Fields; note: string } {
  const refusedKeywords = REFUSED.filter((keyword) => schema[keyword] !== undefined);
  if (refusedKeywords.length === 0)
    return {
      schema: schema.properties === undefined ? { ...schema, properties: {} } : schema,
      note: '',
    };
  const rest = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !refusedKeywords.some((one) => one === keyword)),
  );
  const collection = gatherSchemaProperties(schema, schema, 0);
  const properties = Object.fromEntries(collection.properties.toReversed().flatMap(Object.entries));
  const requiredNames = new Set(collection.required);
  const conditions = JSON.stringify(
    Object.fromEntries(refusedKeywords.map((keyword) => [keyword, schema[keyword]])),
  );
  return {
    schema: {
      ...rest,
      properties,
      ...(requiredNames.size > 0 ? { required: [...requiredNames] } : {}),
    },
    note: `The arguments must also match this JSON schema: ${conditions.slice(0, MAX_NOTE_CHARS)}`,
  };
}
