import { at, listAt, textAt } from '../../../lib/untrusted.ts';
import { markdownToAdf } from '../adf/markdownToAdf.ts';

/** A value as Jira wants it: set with `fields`, or added with `update`; or why it does not fit. */
export type Converted = { how: 'fields' | 'update'; value: unknown } | { problem: string };

/** Ends of the names of custom fields that are texts of several lines. */
const LONG_TEXT = /:textarea$/;
const LONG_SYSTEM: ReadonlySet<string> = new Set(['description', 'environment']);

/** How people call a value. Options have `value`, most others a name, users a display name. */
export const valueName = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : textAt(value, 'value') ||
      textAt(value, 'name') ||
      textAt(value, 'displayName') ||
      textAt(value, 'id');

/** What an allowed value may be called by. */
const namesOf = (value: unknown): string[] =>
  [
    typeof value === 'string' ? value : '',
    ...['id', 'key', 'value', 'name', 'accountId', 'displayName'].map((name) =>
      textAt(value, name),
    ),
  ].filter((name) => name !== '');

const isSame = (allowed: unknown, asked: string): boolean =>
  namesOf(allowed).some((name) => name.toLowerCase() === asked.trim().toLowerCase());

/** One of the allowed values, by the id where it has one; undefined = it is none of them. */
function chosen(allowed: readonly unknown[], value: unknown): unknown {
  const names =
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : namesOf(value);
  const found = allowed.find((one) => names.some((name) => isSame(one, name)));
  if (found === undefined) return undefined;
  const [id, key] = [textAt(found, 'id'), textAt(found, 'accountId')];
  if (key !== '') return { accountId: key };
  return id === '' ? found : { ...Object(Array.isArray(value) ? {} : childOf(found, value)), id };
}

/** Of a cascading option, the second choice: `{ "value": "A", "child": { "value": "B" } }`. */
function childOf(parent: unknown, value: unknown): object {
  const asked = at(value, 'child');
  const child = asked === undefined ? undefined : chosen(listAt(parent, 'children'), asked);
  return child === undefined ? {} : { child };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A value of one type. `version`: 3 takes long texts as documents and users by account id. */
function single(type: string, meta: unknown, value: unknown, version: 2 | 3): Converted {
  const field = (converted: unknown): Converted => ({ how: 'fields', value: converted });
  const allowed = listAt(meta, 'allowedValues');
  if (allowed.length > 0) {
    const found = chosen(allowed, value);
    const wanted = JSON.stringify(value)?.slice(0, 100);
    return found === undefined ? { problem: `has no value ${wanted}` } : field(found);
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  switch (type) {
    case 'string': {
      if (typeof value !== 'string') return { problem: 'must be a text' };
      const isLong =
        LONG_TEXT.test(textAt(meta, 'schema', 'custom')) ||
        LONG_SYSTEM.has(textAt(meta, 'schema', 'system'));
      return field(version === 3 && isLong ? markdownToAdf(value) : value);
    }
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number)
        ? field(number)
        : { problem: 'must be a number' };
    }
    case 'date':
      return typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value))
        ? field(value)
        : { problem: 'must be a day such as 2026-01-31' };
    case 'datetime':
      return typeof value === 'string' && !DAY.test(value) && !Number.isNaN(Date.parse(value))
        ? field(new Date(value).toISOString().replace('Z', '+0000'))
        : { problem: 'must be a time such as 2026-01-31T12:00:00Z' };
    case 'user':
      if (isObject) return field(value);
      return typeof value === 'string' && value !== ''
        ? field(version === 3 ? { accountId: value } : { name: value })
        : { problem: version === 3 ? 'must be an account id' : 'must be a user name' };
    case 'comments-page':
      return typeof value === 'string' && value.trim() !== ''
        ? {
            how: 'update',
            value: [{ add: { body: version === 3 ? markdownToAdf(value) : value } }],
          }
        : { problem: 'must be the text of a comment' };
    case 'option':
    case 'resolution':
    case 'priority':
    case 'version':
    case 'component':
    case 'group':
      return typeof value === 'string'
        ? field(type === 'option' ? { value } : { name: value })
        : isObject
          ? field(value)
          : { problem: 'must be a name' };
    // Types of apps: what they take, they alone know.
    default:
      return field(value);
  }
}

/**
 * A value for a field, by the field's description in the transition (`schema`, `allowedValues`).
 * Names are taken for what Jira wants by its id.
 */
export function convert(meta: unknown, value: unknown, version: 2 | 3): Converted {
  const type = textAt(meta, 'schema', 'type');
  if (type !== 'array') return single(type, meta, value, version);
  const items = textAt(meta, 'schema', 'items');
  if (items === 'attachment') return { problem: 'cannot be set here: attachments are files' };
  if (!Array.isArray(value)) return { problem: 'must be a list' };
  const all = value.map((one) => single(items, meta, one, version));
  const wrong = all.find((one) => 'problem' in one);
  if (wrong) return wrong;
  return { how: 'fields', value: all.map((one) => ('value' in one ? one.value : null)) };
}
