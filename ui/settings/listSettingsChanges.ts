import { isJsonObject } from '../../src/base/json/isJsonObject.ts';
import {
  type FormField,
  type FormSchema,
  findFormEntrySchema,
  buildFormField,
} from '../form/formSchema.ts';
import { toConfigKey } from './settingsFields.ts';

export interface SettingsChange {
  key: string;
  /** As a person reads it; a secret is never shown. */
  before: string;
  after: string;
}

/** How the runner shows a secret. */
const HIDDEN = '********';

const formatSettingValue = (value: unknown): string => {
  if (value === undefined || value === null) return 'default';
  if (value === HIDDEN) return 'set';
  if (typeof value === 'string') return value === '' ? '(empty)' : value;
  return JSON.stringify(value);
};

const isSecret = (field: FormField | undefined): boolean => field?.schema.secret !== undefined;

function findMemberField(field: FormField | undefined, name: string): FormField | undefined {
  const formField = field?.members.find(({ path }) => path.at(-1) === name);
  const entry: FormSchema | undefined = field && findFormEntrySchema(field.schema)?.entry;
  return formField ?? (entry && field && buildFormField(entry, [...field.path, name]));
}

/** What a merge patch changes, by key in the form's order. `first`: the configuration as read. */
export function listSettingsChanges(
  patch: unknown,
  first: unknown,
  root: FormField,
): SettingsChange[] {
  const walk = (
    part: unknown,
    before: unknown,
    path: readonly string[],
    field: FormField | undefined,
  ): SettingsChange[] => {
    if (isJsonObject(part) && Object.keys(part).length > 0)
      return Object.entries(part).flatMap(([name, inner]) =>
        walk(
          inner,
          isJsonObject(before) ? before[name] : undefined,
          [...path, name],
          findMemberField(field, name),
        ),
      );
    const hides = isSecret(field);
    return [
      {
        key: toConfigKey(path),
        before: hides && before !== undefined && before !== '' ? 'set' : formatSettingValue(before),
        after:
          hides && part !== null
            ? part === ''
              ? '(empty)'
              : 'a new secret'
            : formatSettingValue(part),
      },
    ];
  };
  return walk(patch, first, [], root);
}
