/**
 * Reading of JSON that came from outside: whatever is not there, or is something else, is empty.
 */
export type Json = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toJsonObject = (value: unknown): Json => (isJsonObject(value) ? value : {});
export const toJsonObjects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
export const toTextOrBlank = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Content as one text: a string, or blocks of which those with a text count. */
export const joinContentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : toJsonObjects(content)
        .map((block) => toTextOrBlank(block.text))
        .filter((part) => part !== '')
        .join('\n');

/** Names of the arguments that a JSON schema knows. */
export const listSchemaFields = (schema: unknown): string[] =>
  Object.keys(toJsonObject(toJsonObject(schema).properties));
