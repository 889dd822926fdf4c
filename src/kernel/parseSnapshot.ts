import { stringifyCachedValue } from '../base/json/stringifyWithCache.ts';

type PersistedSnapshot = Record<string, unknown>;

/** Most texts that are kept of a member. */
const MOST_KEPT = 16;
/** Shorter texts are parsed as quickly as they are found. */
const LEAST_CHARS = 256;
/** Stands for a member while the rest is parsed. */
const PLACEHOLDER = 0;

/** Values by the name of their member and by their text, oldest first. */
const sharedObjects = new Map<string, Map<string, object>>();

/**
 * Parses a persisted snapshot. Members of its context with these names are one frozen object for
 * each text that was seen lately: neither parsed nor written again, nor in memory for each actor.
 */
export function parseSnapshot(text: string, sharedNames: readonly string[]): PersistedSnapshot {
  let rest = text;
  const sharedEntries: [name: string, value: object][] = [];
  for (const name of sharedNames) {
    const member = findKeptMember(rest, name);
    if (member === undefined) continue;
    rest = `${rest.slice(0, member.from)}${PLACEHOLDER}${rest.slice(member.to)}`;
    sharedEntries.push([name, member.value]);
  }
  const persisted: PersistedSnapshot = JSON.parse(rest);
  const context = Object(persisted.context);
  // A member with this name may lie deeper, such as in what a person sent.
  if (sharedEntries.some(([name]) => context[name] !== PLACEHOLDER)) return JSON.parse(text);
  for (const [name, value] of sharedEntries) context[name] = value;
  for (const name of sharedNames)
    if (!sharedEntries.some(([one]) => one === name)) keepMember(context, name);
  return persisted;
}

function findKeptMember(
  text: string,
  name: string,
): { from: number; to: number; value: object } | undefined {
  const values = sharedObjects.get(name);
  const start = `"${name}":`;
  const at = values === undefined ? -1 : text.indexOf(start);
  if (at === -1) return undefined;
  const from = at + start.length;
  for (const [known, value] of values ?? [])
    if (text.startsWith(known, from)) return { from, to: from + known.length, value };
  return undefined;
}

function keepMember(context: PersistedSnapshot, name: string): void {
  const value = context[name];
  if (typeof value !== 'object' || value === null) return;
  const text = stringifyCachedValue(value);
  if (text === undefined || text.length < LEAST_CHARS) return;
  const values = sharedObjects.get(name) ?? new Map<string, object>();
  sharedObjects.set(name, values);
  values.set(text, freezeDeeply(value));
  const [oldest] = values.keys();
  if (values.size > MOST_KEPT && oldest !== undefined) values.delete(oldest);
}

function freezeDeeply(value: object): object {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) freezeDeeply(inner);
  return Object.freeze(value);
}
