import { isJsonObject } from '../json/isJsonObject.ts';
import { SECRET_NAME } from '../secrets/likelySecret.ts';

/** Longest summary, characters: an entry of the audit log is a line of a table. */
const MOST_CHARS = 160;

/** Settings whose members have logins of others: no value below them is written down, whatever its name. */
const HAS_LOGINS = /^(?:plugins|notifications\.channels)\./;

/** A key, its parts joined by dots, and its new value; undefined = it is not known, or was removed. */
export type ConfigChange = readonly [key: string, value: unknown];

const isShortValue = (value: unknown): boolean =>
  typeof value === 'boolean' || typeof value === 'number' || value === null;

/** Texts are left out: any of them may be a secret, such as an address. */
const formatChange = ([key, value]: ConfigChange): string =>
  isShortValue(value) && !HAS_LOGINS.test(key) && !SECRET_NAME.test(key) ? `${key}=${value}` : key;

/** Changes that are too many, those of one section counted, such as `llm.aliases (12)`. */
function groupChanges(changes: readonly ConfigChange[]): string[] {
  const sections = new Map<string, ConfigChange[]>();
  for (const change of changes) {
    const section = change[0].split('.', 2).join('.');
    sections.set(section, [...(sections.get(section) ?? []), change]);
  }
  return [...sections].flatMap(([section, members]) =>
    members.length === 1 ? members.map(formatChange) : [`${section} (${members.length})`],
  );
}

/** As many of them as there is room for, and how many more there are. */
function joinWithinRoom(parts: readonly string[]): string {
  const all = parts.join(' ');
  if (all.length <= MOST_CHARS) return all;
  let line = '';
  for (const [index, part] of parts.entries()) {
    const end = ` and ${parts.length - index} more`;
    if (line.length + part.length + 1 + end.length > MOST_CHARS) return `${line}${end}`.trim();
    line = line === '' ? part : `${line} ${part}`;
  }
  return line;
}

/** What changed in the configuration, as an audit log has it: keys, and values that are numbers or switches. */
export function summarizeConfigChanges(changes: readonly ConfigChange[]): string {
  const changesByKey = changes.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const line = changesByKey.map(formatChange).join(' ');
  return line.length <= MOST_CHARS ? line : joinWithinRoom(groupChanges(changesByKey));
}

/** Everything that a patch sets or removes, as {@link summarizeConfigChanges}. */
export const summarizeConfigPatch = (patch: object): string =>
  summarizeConfigChanges(listPatchedValues(patch));

const listPatchedValues = (patch: object, path = ''): ConfigChange[] =>
  Object.entries(patch).flatMap(([key, value]) =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? listPatchedValues(value, `${path}${key}.`)
      : [[`${path}${key}`, value] as const],
  );
