import { readAtPath, readListAt, readTextAt } from '../../../base/json/untrusted.ts';
import type { TransitionFields } from '../../../contract/forge/tracker.ts';
import type { JiraTransition } from './answers.ts';
import { type ConvertedField, convertFieldValue, pickValueName } from './fieldValues.ts';

const MAX_LISTED = 30;

export type FieldPlan =
  | { fields: Record<string, unknown>; update: Record<string, unknown> }
  | { problem: string };

interface ScreenField {
  id: string;
  name: string;
  required: boolean;
  meta: unknown;
}

const listScreenFields = ({ fields }: JiraTransition): ScreenField[] =>
  Object.entries(Object(fields) as Record<string, unknown>).map(([id, meta]) => ({
    id,
    name: readTextAt(meta, 'name') || id,
    required: readAtPath(meta, 'required') === true,
    meta,
  }));

const joinFewNames = (names: readonly string[]): string =>
  names.length <= MAX_LISTED
    ? names.join(', ')
    : `${names.slice(0, MAX_LISTED).join(', ')} and ${names.length - MAX_LISTED} more`;

/** `Resolution (resolution): one of Fixed, Won't fix`. */
function describeScreenField({ id, name, meta }: ScreenField): string {
  const values = readListAt(meta, 'allowedValues').map(pickValueName);
  const type = readTextAt(meta, 'schema', 'type');
  const items = readTextAt(meta, 'schema', 'items');
  const what = type === 'array' ? `list of ${items}` : type;
  const choice = type === 'array' ? 'list of' : 'one of';
  const form = values.length > 0 ? `${choice} ${joinFewNames(values)}` : what;
  return `${name === id ? id : `${name} (${id})`}: ${form || 'any value'}`;
}

export function describeTransitionFields(way: JiraTransition): string {
  const all = listScreenFields(way);
  const group = (label: string, some: readonly ScreenField[]): string =>
    some.length === 0 ? '' : `${label}: ${some.map(describeScreenField).join('; ')}. `;
  const text =
    group(
      'Required',
      all.filter(({ required }) => required),
    ) + group('Optional', all.filter(({ required }) => !required).slice(0, MAX_LISTED));
  return text.trim();
}

const isSameFieldName = (a: string, b: string): boolean =>
  a.trim().toLowerCase() === b.trim().toLowerCase();

/**
 * Plans what to send with a transition: each given field by its id or name, converted by the
 * description of the screen. `version`: 3 takes long texts as documents.
 */
export function planFields(
  way: JiraTransition,
  fields: TransitionFields,
  version: 2 | 3,
): FieldPlan {
  const all = listScreenFields(way);
  const problems: string[] = [];
  const set: { id: string; converted: Extract<ConvertedField, { value: unknown }> }[] = [];
  for (const [fieldName, value] of Object.entries(fields)) {
    const field =
      all.find(({ id }) => id === fieldName) ??
      all.find(
        ({ id, name }) => isSameFieldName(id, fieldName) || isSameFieldName(name, fieldName),
      );
    if (!field) {
      problems.push(`${JSON.stringify(fieldName.slice(0, 100))} is not a field of it`);
      continue;
    }
    const convertedField = convertFieldValue(field.meta, value, version);
    if ('problem' in convertedField) problems.push(`${field.name} ${convertedField.problem}`);
    else set.push({ id: field.id, converted: convertedField });
  }
  for (const { id, name, required, meta } of all) {
    const isGiven = set.some((one) => one.id === id);
    const isDefault = readAtPath(meta, 'hasDefaultValue') === true;
    // A given field that is invalid is already named.
    const isNamed = Object.keys(fields).some(
      (key) => isSameFieldName(key, id) || isSameFieldName(key, name),
    );
    if (required && !isGiven && !isNamed && !isDefault) problems.push(`${name} is missing`);
  }
  if (problems.length > 0) return { problem: problems.join('; ') };
  const entries = (how: 'fields' | 'update') =>
    Object.fromEntries(
      set.flatMap(({ id, converted }) => (converted.how === how ? [[id, converted.value]] : [])),
    );
  return { fields: entries('fields'), update: entries('update') };
}
