import { at, type Fields, fields, text } from '../../../lib/untrusted.ts';
import { toRootObject } from './toRootObject.ts';

/** Longest description of a tool that a model is given, characters. */
const MAX_DESCRIPTION_CHARS = 16_000;
/** Largest input schema of a tool that a model is given, characters of its JSON. */
const MAX_SCHEMA_CHARS = 65_536;
/** Longest name of a tool that is shown, characters. */
const MAX_SHOWN_CHARS = 80;

/** A tool of an external server as a model can be given it. */
export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
}

/** The tool, or why it cannot be offered, as the end of a sentence about it. */
export type ParsedTool = { tool: OfferedTool } | { problem: string };

/** Where a local reference leads: `#/$defs/Input`; undefined where it leads nowhere. */
function followRef(schema: Fields): unknown {
  const path = text(schema.$ref);
  if (!path.startsWith('#/')) return undefined;
  const names = path
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return at(schema, ...names);
}

/** The schema whose root refers to a definition of its own, with that definition in its place. */
function withoutRootRef(schema: Fields): Fields {
  if (schema.$ref === undefined) return schema;
  const { $ref: _, ...rest } = schema;
  const { $ref: again, ...target } = fields(followRef(schema));
  return again === undefined ? { ...target, ...rest } : {};
}

const sizeOf = (value: unknown): number => {
  try {
    return JSON.stringify(value).length;
  } catch {
    // Nested more deeply than the stack.
    return Number.POSITIVE_INFINITY;
  }
};

function parseSchema(given: unknown): { schema: OfferedTool['inputSchema'] } | { problem: string } {
  if (sizeOf(given ?? null) > MAX_SCHEMA_CHARS)
    return { problem: `has an input schema of more than ${MAX_SCHEMA_CHARS} characters` };
  const schema = withoutRootRef(fields(given));
  if (schema.type !== 'object')
    return { problem: 'has no valid input schema: its type must be "object"' };
  const { properties, required } = schema;
  const isWrong =
    (properties !== undefined && fields(properties) !== properties) ||
    (required !== undefined &&
      !(Array.isArray(required) && required.every((name) => typeof name === 'string')));
  return isWrong
    ? {
        problem:
          'has no valid input schema: properties is no object, or required is no list of names',
      }
    : { schema };
}

/** Reads one entry of a list of tools; `n`: its place in it, from 1. Never throws. */
export function parseTool(entry: unknown, n: number): ParsedTool {
  const { name, description, inputSchema } = fields(entry);
  const shown = text(name).slice(0, MAX_SHOWN_CHARS);
  if (shown === '') return { problem: `tool ${n} has no name` };
  const parsed = parseSchema(inputSchema);
  if ('problem' in parsed) return { problem: `tool ${n}, ${shown}, ${parsed.problem}` };
  const { schema, note } = toRootObject(parsed.schema);
  const words = text(description).slice(0, MAX_DESCRIPTION_CHARS);
  return {
    tool: {
      name: text(name),
      description: [words, note].filter((part) => part !== '').join('\n\n'),
      inputSchema: schema,
    },
  };
}
