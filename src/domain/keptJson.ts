/** An object with a shorter text is written whole each time: that is quicker than to ask for its parts. */
const LARGE_CHARS = 4_096;
/** Shorter texts of members are not kept. */
const KEPT_CHARS = 256;

/** The JSON of objects that were written once, for as long as they live. */
const kept = new WeakMap<object, string>();
/** `,"name":` of each member that was written; a chart names its members once and for all. */
const names = new Map<string, string>();

/**
 * JSON of an object, letter by letter what `JSON.stringify` gives. In large ones the texts of members
 * that are objects are kept: a step of a chart makes new objects for what it changes and hands on all
 * others, so an object that was seen before has the text that it had. Objects that are changed in
 * place would be written as they were.
 */
export function keptJson(object: object): string {
  const members = Object.keys(object);
  if (members.some((name) => isKept(Reflect.get(object, name)))) return pieced(object, members);
  const json = JSON.stringify(object);
  if (json.length >= LARGE_CHARS) for (const name of members) keptText(Reflect.get(object, name));
  return json;
}

const isKept = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && kept.has(value);

function pieced(object: object, members: readonly string[]): string {
  let text = '';
  for (const name of members) {
    const json = keptText(Reflect.get(object, name));
    if (json !== undefined) text += nameOf(name) + json;
  }
  return `{${text.slice(1)}}`;
}

/** JSON of a value, which is kept if that is a large object; undefined for what JSON leaves out. */
export function keptText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const known = kept.get(value);
  if (known !== undefined) return known;
  const json: string | undefined = JSON.stringify(value);
  if (json !== undefined && json.length >= KEPT_CHARS) kept.set(value, json);
  return json;
}

function nameOf(name: string): string {
  let text = names.get(name);
  if (text === undefined) {
    text = `,${JSON.stringify(name)}:`;
    names.set(name, text);
  }
  return text;
}
