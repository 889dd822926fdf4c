import { escapeHidden } from '../../../base/text/escapeHidden.ts';
import {
  readAtPath,
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../../base/json/untrusted.ts';
import { renameArguments } from './renameArguments.ts';
import { toRootObject } from './toRootObject.ts';

/** Longest description of a tool that a model is given, characters. */
const MAX_DESCRIPTION_CHARS = 16_000;
/** Largest input schema of a tool that a model is given, characters of its JSON. */
const MAX_SCHEMA_CHARS = 65_536;
/** Longest name of a tool that is shown, characters. */
const MAX_SHOWN_CHARS = 80;
/** Most references in a row that are followed at the root of a schema. */
const MAX_REFS = 10;

export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  /** The server's names of arguments that endpoints refuse, by the names that models see. */
  argumentNames?: Readonly<Record<string, string>>;
  /** The server's hints about the tool's effects, such as `readOnlyHint`. */
  hints?: Readonly<Record<string, boolean>>;
}

/** The tool, or why it cannot be offered, as the end of a sentence. */
export type ParsedTool = { tool: OfferedTool } | { problem: string };

export const escapeShownName = (name: string): string =>
  escapeHidden(name.slice(0, MAX_SHOWN_CHARS));

/** The target of a local reference: `#/$defs/Input`; undefined if it does not exist. */
function followRef(root: Fields, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  const names = ref
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return readAtPath(root, ...names);
}

/** Replaces a root reference by the definition of the same schema. */
function inlineRootRef(root: Fields): Fields {
  let schema = root;
  for (let followedRefs = 0; schema.$ref !== undefined; followedRefs += 1) {
    if (followedRefs >= MAX_REFS) return {};
    const { $ref, ...rest } = schema;
    const target = followRef(root, toStringOrEmpty($ref));
    if (toFields(target) !== target) return {};
    // If the target is a reference too, it is followed next.
    schema = { ...toFields(target), ...rest, ...pickDefinitions(root) };
  }
  return schema;
}

const pickDefinitions = ({ $defs, definitions }: Fields): Fields => ({
  ...($defs === undefined ? {} : { $defs }),
  ...(definitions === undefined ? {} : { definitions }),
});

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const;

/** Whether the root describes an object, with keywords that the protocol allows or not. */
function describesObject(root: Fields, schema: Fields): boolean {
  const { type } = schema;
  if (type === 'object') return true;
  if (Array.isArray(type)) return type.includes('object');
  if (type !== undefined) return false;
  // Some libraries write unions this way, with a type in each member.
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

const countJsonChars = (value: unknown): number => {
  try {
    return JSON.stringify(value).length;
  } catch {
    // The value is nested more deeply than the stack.
    return Number.POSITIVE_INFINITY;
  }
};

function parseSchema(rawSchema: unknown): { schema: Fields } | { problem: string } {
  if (countJsonChars(rawSchema ?? null) > MAX_SCHEMA_CHARS)
    return { problem: `has an input schema of more than ${MAX_SCHEMA_CHARS} characters` };
  const root = toFields(rawSchema);
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

/** The valid hints of a tool's annotations. */
const readToolHints = (annotations: unknown): OfferedTool['hints'] =>
  Object.fromEntries(
    Object.entries(toFields(annotations)).flatMap(([name, value]) =>
      name.endsWith('Hint') && typeof value === 'boolean' ? [[name, value] as const] : [],
    ),
  );

/** Reads one entry of a list of tools; `n`: its position, from 1. Never throws. */
export function parseTool(entry: unknown, n: number): ParsedTool {
  const { name, description, inputSchema, annotations } = toFields(entry);
  const shownName = escapeShownName(toStringOrEmpty(name));
  if (shownName.trim() === '') return { problem: `tool ${n} has no name` };
  const parsed = parseSchema(inputSchema);
  if ('problem' in parsed) return { problem: `tool ${n}, ${shownName}, ${parsed.problem}` };
  const root = toRootObject(parsed.schema);
  const { schema, argumentNames } = renameArguments(root.schema);
  const words = toStringOrEmpty(description).slice(0, MAX_DESCRIPTION_CHARS);
  const hints = readToolHints(annotations);
  return {
    tool: {
      name: toStringOrEmpty(name),
      description: [words, root.note].filter((part) => part !== '').join('\n\n'),
      inputSchema: schema,
      ...(argumentNames === null ? {} : { argumentNames }),
      ...(hints === undefined || Object.keys(hints).length === 0 ? {} : { hints }),
    },
  };
}
