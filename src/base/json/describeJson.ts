import { isJsonObject } from './isJsonObject.ts';

/** Longest line that is read as JSON, characters. */
const MAX_READ_CHARS = 64_000;
/** Most members that are shown, and most characters of each. */
const MAX_MEMBERS = 6;
const MAX_CHARS = 80;
/** Members by which an object of a list is named, the first that it has. */
const NAMES = ['id', 'name', 'title', 'path', 'key'];

const shorten = (text: string): string =>
  text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text;

function findName(value: unknown): string | null {
  if (!isJsonObject(value)) return typeof value === 'object' ? null : String(value);
  const name = NAMES.find((one) => typeof value[one] === 'string');
  return name === undefined ? null : String(value[name]);
}

function valueText(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value === null) return 'none';
  if (Array.isArray(value)) {
    const names = value.map(findName);
    if (value.length === 0) return 'none';
    return names.includes(null) ? `${value.length} entries` : names.join(', ');
  }
  if (isJsonObject(value)) return findName(value) ?? '{…}';
  return String(value).split('\n', 1)[0] ?? '';
}

/**
 * A line that is one JSON object, such as what `svc tool` prints in a program, in words for people:
 * `id: greeting; duplicate: no`. Null for any other line. The line itself stays what it is.
 */
export function describeJson(line: string): string | null {
  const text = line.trim();
  if (!text.startsWith('{') || !text.endsWith('}') || text.length > MAX_READ_CHARS) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(value)) return null;
  const members = Object.entries(value);
  if (members.length === 0) return null;
  const more = members.length - MAX_MEMBERS;
  return [
    ...members.slice(0, MAX_MEMBERS).map(([key, of]) => `${key}: ${shorten(valueText(of))}`),
    ...(more > 0 ? [`${more} more`] : []),
  ].join('; ');
}
