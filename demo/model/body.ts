/**
 * Reading of JSON that came from outside: whatever is not there, or is something else, is empty.
 */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const object = (value: unknown): Json => (isObject(value) ? value : {});
export const objects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Content as one text: a string, or blocks of which those with a text count. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objects(content)
        .map((block) => text(block.text))
        .filter((part) => part !== '')
        .join('\n');

/** Names of the arguments that a JSON schema knows. */
export const fieldsOf = (schema: unknown): string[] =>
  Object.keys(object(object(schema).properties));
