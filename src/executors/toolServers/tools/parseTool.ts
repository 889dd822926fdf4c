import { escapeHidden } from '../../../shared/text/escapeHidden.ts';
import {
  readAtPath,
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../../shared/json/untrusted.ts';
import { renameArguments } from './renameArguments.ts';
import { toRootObject } from './toRootObject.ts';

/** Longest description of a tool that a model is given, characters. */
const MAX_DESCRIPTION_CHARS = 16_000;
/** Largest input schema of a tool that a model is given, characters of its JSON. */
const MAX_SCHEMA_CHARS = 65_536;
/** Longest name of a tool that is shown, characters. */
const MAX_SHOWN_CHARS = 80;
/** Most references in a row that are followed from the root of a schema. */
const MAX_REFS = 10;

/** A tool of an external server as a model can be given it. */
export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  /** What the server calls arguments whose names endpoints refuse, by the names that models see. */
  argumentNames?: Readonly<Record<string, string>>;
  /** What the server says of the tool's effects, such as `readOnlyHint`. */
  hints?: Readonly<Record<string, boolean>>;
}

/** The tool, or why it cannot be offered, as the end of a sentence about it. */
export type ParsedTool = { tool: OfferedTool } | { problem: string };

/** A name of others as it may be shown in a line. */
export const escapeShownName = (name: string): string =>
  escapeHidden(name.slice(0, MAX_SHOWN_CHARS));

/** Where a local reference leads: `#/$defs/Input`; undefined where it leads nowhere. */
function followRef(root: Fields, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  const names = ref
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return readAtPath(root, ...names);
}

/** The schema whose root refers to a definition of its own, with that definition in its place. */
function inlineRootRef(root: Fields): Fields {
  let schema = root;
  for (let followed = 0; schema.$ref !== undefined; followed += 1) {
    if (followed >= MAX_REFS) return {};
    const { $ref, ...rest } = schema;
    const target = followRef(root, toStringOrEmpty($ref));
    if (toFields(target) !== target) return {};
    // The target's own reference, where it has one, is followed next.
    schema = { ...toFields(target), ...rest, ...pickDefinitions(root) };
  }
  return schema;
}

const pickDefinitions = ({ $defs, definitions }: Fields): Fields => ({
  ...($defs === undefined ? {} : { $defs }),
  ...(definitions === undefined ? {} : { definitions }),
});

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const;

/** Whether the root describes an object, in words that the protocol does not allow there or does. */
function describesObject(root: Fields, schema: Fields): boolean {
  const { type } = schema;
  if (type === 'object') return true;
  if (Array.isArray(type)) return type.includes('object');
  if (type !== undefined) return false;
  // Unions are written so by some libraries; each of their members says what it is.
  return ALTERNATIVES.some((keyword) => {
    const members = toListOrEmpty(schema[keyword]).map(toFields);
    return (
      members.length > 0 &&
      members.every(
        (member) =>
          member.type === 'object' ||
          toFields(followRef(root, toStringOrEmpty(member.$ref))).type === 'object',
      )
    );
  });
}

/** Length of a value as JSON, characters. */
const countJsonChars = (value: unknown): number => {
  try {
    return JSON.stringify(value).length;
  } catch {
    // Nested more deeply than the stack.
    return Number.POSITIVE_INFINITY;
  }
};

function parseSchema(given: unknown): { schema: Fields } | { problem: string } {
  if (countJsonChars(given ?? null) > MAX_SCHEMA_CHARS)
    return { problem: `has an input schema of more than ${MAX_SCHEMA_CHARS} characters` };
  const root = toFields(given);
  const schema = inlineRootRef(root);
  if (!describesObject(root, schema))
    return { problem: 'has no valid input schema: its type must be "object"' };
  const { properties, required } = schema;
  const isWrong =
    (properties !== undefined &&
      (toFields(properties) !== properties || !Object.values(properties).every(isSchema))) ||
    (required !== undefined &&
      !(Array.isArray(required) && required.every((name) => typeof name === 'string')));
  return isWrong
    ? {
        problem:
          'has no valid input schema: properties must be an object of schemas, and required a list of names',
      }
    : { schema: { ...schema, type: 'object' } };
}

const isSchema = (value: unknown): boolean =>
  typeof value === 'boolean' || toFields(value) === value;

/** The hints of a tool's annotations that are what they should be. */
const readToolHints = (annotations: unknown): OfferedTool['hints'] =>
  Object.fromEntries(
    Object.entries(toFields(annotations)).flatMap(([name, value]) =>
      name.endsWith('Hint') && typeof value === 'boolean' ? [[name, value] as const] : [],
    ),
  );

/** Reads one entry of a list of tools; `n`: its place in it, from 1. Never throws. */
export function parseTool(entry: unknown, n: number): ParsedTool {
  const { name, description, inputSchema, annotations } = toFields(entry);
  const shown = escapeShownName(toStringOrEmpty(name));
  if (shown.trim() === '') return { problem: `tool ${n} has no name` };
  const parsed = parseSchema(inputSchema);
  if ('problem' in parsed) return { problem: `tool ${n}, ${shown}, ${parsed.problem}` };
  const moved = toRootObject(parsed.schema);
  const { schema, argumentNames } = renameArguments(moved.schema);
  const words = toStringOrEmpty(description).slice(0, MAX_DESCRIPTION_CHARS);
  const hints = readToolHints(annotations);
  return {
    tool: {
      name: toStringOrEmpty(name),
      description: [words, moved.note].filter((part) => part !== '').join('\n\n'),
      inputSchema: schema,
      ...(argumentNames === null ? {} : { argumentNames }),
      ...(hints === undefined || Object.keys(hints).length === 0 ? {} : { hints }),
    },
  };
}
