import { readAtPath, readListAt, readTextAt } from '../../../base/json/untrusted.ts';
import { markdownToAdf } from '../adf/markdownToAdf.ts';

/** A value as Jira wants it, set with `fields` or added with `update`; or why it is invalid. */
export type ConvertedField = { how: 'fields' | 'update'; value: unknown } | { problem: string };

/** Types of custom fields with several lines of text end so. */
const LONG_TEXT = /:textarea$/;
const LONG_SYSTEM: ReadonlySet<string> = new Set(['description', 'environment']);

export const pickValueName = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : readTextAt(value, 'value') ||
      readTextAt(value, 'name') ||
      readTextAt(value, 'displayName') ||
      readTextAt(value, 'id');

const listValueNames = (value: unknown): string[] =>
  [
    typeof value === 'string' ? value : '',
    ...['id', 'key', 'value', 'name', 'accountId', 'displayName'].map((name) =>
      readTextAt(value, name),
    ),
  ].filter((name) => name !== '');

const isValueNamed = (allowedValue: unknown, wantedName: string): boolean =>
  listValueNames(allowedValue).some(
    (name) => name.toLowerCase() === wantedName.trim().toLowerCase(),
  );

/** The allowed value by this name, as its id where it has one; undefined = none. */
function chooseAllowedValue(allowedValues: readonly unknown[], value: unknown): unknown {
  const names =
    typeof value === 'string' || typeof value === 'number'
      ? [String(value)]
      : listValueNames(value);
  const match = allowedValues.find((one) => names.some((name) => isValueNamed(one, name)));
  if (match === undefined) return undefined;
  const [id, key] = [readTextAt(match, 'id'), readTextAt(match, 'accountId')];
  if (key !== '') return { accountId: key };
  return id === ''
    ? match
    : { ...Object(Array.isArray(value) ? {} : chooseChildValue(match, value)), id };
}

/** The second choice of a cascading option: `{ "value": "A", "child": { "value": "B" } }`. */
function chooseChildValue(parent: unknown, value: unknown): object {
  const childValue = readAtPath(value, 'child');
  const child =
    childValue === undefined
      ? undefined
      : chooseAllowedValue(readListAt(parent, 'children'), childValue);
  return child === undefined ? {} : { child };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Converts a value of one type. `version`: 3 takes long texts as documents and users by account id.
 */
function convertSingleValue(
  type: string,
  meta: unknown,
  value: unknown,
  version: 2 | 3,
): ConvertedField {
  const field = (convertedValue: unknown): ConvertedField => ({
    how: 'fields',
    value: convertedValue,
  });
  const allowedValues = readListAt(meta, 'allowedValues');
  if (allowedValues.length > 0) {
    const allowedValue = chooseAllowedValue(allowedValues, value);
    const shownValue = JSON.stringify(value)?.slice(0, 100);
    return allowedValue === undefined
      ? { problem: `has no value ${shownValue}` }
      : field(allowedValue);
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  switch (type) {
    case 'string': {
      if (typeof value !== 'string') return { problem: 'must be a text' };
      const isLong =
        LONG_TEXT.test(readTextAt(meta, 'schema', 'custom')) ||
        LONG_SYSTEM.has(readTextAt(meta, 'schema', 'system'));
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
    // Only an app knows what its own types accept.
    default:
      return field(value);
  }
}

/**
 * Converts a value for a field, by the field's description in the transition (`schema`,
 * `allowedValues`). Names are replaced by ids where Jira wants these.
 */
export function convertFieldValue(meta: unknown, value: unknown, version: 2 | 3): ConvertedField {
  const type = readTextAt(meta, 'schema', 'type');
  if (type !== 'array') return convertSingleValue(type, meta, value, version);
  const items = readTextAt(meta, 'schema', 'items');
  if (items === 'attachment') return { problem: 'cannot be set here: attachments are files' };
  if (!Array.isArray(value)) return { problem: 'must be a list' };
  const all = value.map((one) => convertSingleValue(items, meta, one, version));
  const wrong = all.find((one) => 'problem' in one);
  if (wrong) return wrong;
  return { how: 'fields', value: all.map((one) => ('value' in one ? one.value : null)) };
}
