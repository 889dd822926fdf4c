/** The JSON of objects that were written once, for as long as they live. */
const kept = new WeakMap<object, string>();
/** `,"name":` of each member that was written; a chart names its members once and for all. */
const names = new Map<string, string>();

/**
 * JSON of an object, letter by letter what `JSON.stringify` gives. The texts of its members that are
 * objects are kept: a step of a chart makes new objects for what it changes and hands on all others,
 * so an object that was seen before has the text that it had. Objects that are changed in place
 * would be written as they were.
 */
export function keptJson(object: object): string {
  let text = '';
  // Not by `Object.entries`, which makes a list for each member.
  for (const name of Object.keys(object)) {
    const json = keptText(Reflect.get(object, name));
    if (json !== undefined) text += nameOf(name) + json;
  }
  return `{${text.slice(1)}}`;
}

/** JSON of a value, which is kept if that is an object; undefined for what JSON leaves out. */
export function keptText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const known = kept.get(value);
  if (known !== undefined) return known;
  const json: string | undefined = JSON.stringify(value);
  if (json !== undefined) kept.set(value, json);
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
