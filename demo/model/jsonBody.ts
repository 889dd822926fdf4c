import { toStringOrEmpty, toFields } from '../../src/base/json/untrusted.ts';
import { isJsonObject } from '../../src/base/json/isJsonObject.ts';

/** Readers of JSON from outside: a member that is missing or of another type is read as empty. */
export type Json = Readonly<Record<string, unknown>>;

export const toJsonObjects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Content as one text: a string, or the blocks that have a text. */
export const joinContentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : toJsonObjects(content)
        .map((block) => toStringOrEmpty(block.text))
        .filter((part) => part !== '')
        .join('\n');

export const listSchemaFields = (schema: unknown): string[] =>
  Object.keys(toFields(toFields(schema).properties));
