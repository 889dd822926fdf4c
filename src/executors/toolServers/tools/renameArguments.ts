import { sha256 } from '../../../base/system/ids/ids.ts';
import { type Fields, toFields, toListOrEmpty } from '../../../base/json/untrusted.ts';

/** Argument names that Anthropic's endpoints take; others allow more. */
const ARGUMENT_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
/** Longest part of a changed name that is kept, characters. */
const MAX_KEPT_CHARS = 48;
/** Hexadecimal digits that keep two names apart. */
const HASH_CHARS = 6;

/**
 * A name of letters, digits, `_` and `-` for any other one: the remaining characters and a hash of
 * the whole, so that it is the same in each session.
 */
export function createPlainName(name: string): string {
  const hash = sha256(name).slice(0, HASH_CHARS);
  const plainName = name
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_KEPT_CHARS);
  return plainName === '' ? `tool_${hash}` : `${plainName}_${hash}`;
}

interface RenamedArguments {
  schema: Fields;
  /** The server's names by those of the schema; null = no name was changed. */
  argumentNames: Readonly<Record<string, string>> | null;
}

export function renameArguments(schema: Fields): RenamedArguments {
  const names = Object.keys(toFields(schema.properties));
  const bad = names.filter((name) => !ARGUMENT_NAME.test(name));
  if (bad.length === 0) return { schema, argumentNames: null };
  const plain = new Map(
    bad.map((name) => [name, createPlainName(name).replace(/^tool_/, 'argument_')]),
  );
  const toPlainName = (name: string): string => plain.get(name) ?? name;
  const properties = Object.fromEntries(
    Object.entries(toFields(schema.properties)).map(([name, value]) => [
      toPlainName(name),
      plain.has(name) ? addArgumentTitle(toFields(value), name) : value,
    ]),
  );
  const requiredNames = toListOrEmpty(schema.required).map((name) => toPlainName(String(name)));
  return {
    schema: {
      ...schema,
      properties,
      ...(schema.required === undefined ? {} : { required: requiredNames }),
    },
    argumentNames: Object.fromEntries([...plain].map(([name, alias]) => [alias, name])),
  };
}

const addArgumentTitle = (schema: Fields, name: string): Fields => ({ title: name, ...schema });

/** The arguments of a call with the server's names. */
export const restoreArguments = (
  args: Readonly<Record<string, unknown>>,
  argumentNames: Readonly<Record<string, string>> = {},
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [argumentNames[name] ?? name, value]),
  );
