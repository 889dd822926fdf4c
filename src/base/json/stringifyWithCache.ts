/** Shorter texts are not kept: finding one takes about as long as writing it again. */
const KEPT_CHARS = 256;

interface Member {
  /** `,"name":` */
  start: string;
  /** Never an object, so that no object is kept alive by it. */
  value: unknown;
  /** The member with that value; empty where JSON leaves it out. */
  text: string;
}

/** The JSON of objects that were written once, for as long as they live. */
const cache = new WeakMap<object, string>();
/** Each member that was written; a chart names its members once and for all. */
const members = new Map<string, Member>();

/**
 * JSON of an object, exactly what `JSON.stringify` gives. Texts of members that are objects are
 * kept: a step of a chart makes new objects only for what it changes, so an object that was seen
 * before has the same text. Objects must therefore not be changed in place. Other members mostly
 * have the value that they had in the last object.
 */
export function stringifyWithCache(object: object): string {
  let text = '';
  for (const name of Object.keys(object)) text += stringifyMember(name, Reflect.get(object, name));
  return `{${text.slice(1)}}`;
}

function stringifyMember(name: string, value: unknown): string {
  const member = members.get(name) ?? createCachedMember(name);
  if (typeof value === 'object' && value !== null) {
    const json = stringifyCachedValue(value);
    return json === undefined ? '' : member.start + json;
  }
  if (value !== member.value) {
    const json: string | undefined = JSON.stringify(value);
    member.value = value;
    member.text = json === undefined ? '' : member.start + json;
  }
  return member.text;
}

/** JSON of a value, which is kept if that is a large object; undefined for what JSON leaves out. */
export function stringifyCachedValue(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const cachedText = cache.get(value);
  if (cachedText !== undefined) return cachedText;
  const json: string | undefined = JSON.stringify(value);
  if (json !== undefined && json.length >= KEPT_CHARS) cache.set(value, json);
  return json;
}

function createCachedMember(name: string): Member {
  const member: Member = { start: `,${JSON.stringify(name)}:`, value: undefined, text: '' };
  members.set(name, member);
  return member;
}
