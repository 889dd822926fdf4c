/** The params that a person has typed, or why the text is not valid. */
export function parseParamsPatch(
  text: string,
): { patch: Record<string, unknown> } | { wrong: string } {
  if (text.trim() === '') return { patch: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { wrong: 'Params must be an object, such as { "baseBranch": "main" }.' };
    }
    return { patch: { ...value } };
  } catch (error) {
    return {
      wrong: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
    };
  }
}

/** How a parameter is edited: `json` for lists and objects. */
export type ParamFieldKind = 'text' | 'number' | 'yes-no' | 'json';

export interface ParamField {
  name: string;
  kind: ParamFieldKind;
  /** As it is typed; `true` and `false` for a yes-no. */
  text: string;
}

const classifyParam = (value: unknown): ParamFieldKind =>
  typeof value === 'string'
    ? 'text'
    : typeof value === 'number'
      ? 'number'
      : typeof value === 'boolean'
        ? 'yes-no'
        : 'json';

export const toParamFields = (params: Readonly<Record<string, unknown>>): ParamField[] =>
  Object.entries(params).map(([name, value]) => {
    const kind = classifyParam(value);
    return { name, kind, text: kind === 'json' ? JSON.stringify(value) : String(value) };
  });

/** The value that a field stands for; or why it stands for none. */
export function readParamValue({ kind, text }: ParamField): { value: unknown } | { wrong: string } {
  if (kind === 'text') return { value: text };
  if (kind === 'yes-no') return { value: text === 'true' };
  if (kind === 'number') {
    const value = Number(text);
    return text.trim() === '' || !Number.isFinite(value)
      ? { wrong: 'This must be a number.' }
      : { value };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { wrong: 'This must be valid JSON.' };
  }
}

/** The changed members of `params`, or why the form cannot be read, naming the parameter. */
export function buildParamsPatch(
  params: Readonly<Record<string, unknown>>,
  fields: readonly ParamField[],
): { patch: Record<string, unknown> } | { wrong: string } {
  const patch: Record<string, unknown> = {};
  for (const field of fields) {
    if (field.name.trim() === '') return { wrong: 'A new parameter needs a name.' };
    const read = readParamValue(field);
    if ('wrong' in read) return { wrong: `${field.name}: ${read.wrong}` };
    if (JSON.stringify(read.value) !== JSON.stringify(params[field.name]))
      patch[field.name] = read.value;
  }
  return { patch };
}

/** A text as it is typed into a new field: a number, yes or no, JSON, or else the text itself. */
export function guessParamField(name: string, text: string): ParamField {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return { name, kind: 'yes-no', text: trimmed };
  if (trimmed !== '' && Number.isFinite(Number(trimmed)))
    return { name, kind: 'number', text: trimmed };
  const json = /^[[{]/.test(trimmed) && !('wrong' in parseParamsPatch(`{"value":${trimmed}}`));
  return { name, kind: json ? 'json' : 'text', text };
}
