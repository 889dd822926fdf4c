import { toStringOrEmpty, toFields } from '../../src/shared/json/untrusted.ts';
import { isJsonObject } from '../../src/shared/json/isJsonObject.ts';

/**
 * Reading of JSON that came from outside: whatever is not there, or is something else, is empty.
 */
export type Json = Readonly<Record<string, unknown>>;

export const toJsonObjects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Content as one text: a string, or blocks of which those with a text count. */
export const joinContentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : toJsonObjects(content)
        .map((block) => toStringOrEmpty(block.text))
        .filter((part) => part !== '')
        .join('\n');

/** Names of the arguments that a JSON schema knows. */
export const listSchemaFields = (schema: unknown): string[] =>
  Object.keys(toFields(toFields(schema).properties));
