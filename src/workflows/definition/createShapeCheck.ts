import type Type from 'typebox';
import { Compile } from 'typebox/compile';
import { suggestClosestName, findClosestName } from '../../base/text/findClosestName.ts';
import type { Findings } from './findings.ts';
import { type KeyPath, type Positions, toKeyText } from './positions.ts';

/** Hints by key, for keys that people often write or misspell. */
export type ShapeHints = Readonly<Record<string, string>>;

type Properties = Record<string, Type.TSchema>;

/**
 * Checks one map of the front matter key by key. Returns the keys with the right type; null = the
 * value is not a map.
 */
export type ShapeCheck<T extends Type.TObject> = (
  value: unknown,
  path: KeyPath,
  positions: Positions,
  findings: Findings,
) => Partial<Type.Static<T>> | null;

function describeValueType(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) {
    const other = value.find((one) => typeof one !== 'string');
    return value.length === 0
      ? 'an empty list'
      : other === undefined
        ? 'a list'
        : `a list that holds ${describeValueType(other)}`;
  }
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'boolean') return `the boolean ${value}`;
  if (typeof value === 'number') return `the number ${value}`;
  const shownValue = JSON.stringify(value);
  return shownValue.length > 60
    ? `a text of ${String(value).length} characters`
    : `the text ${shownValue}`;
}

function suggestTypeFix(value: unknown, expected: string, takesText: boolean): string {
  if (takesText && (typeof value === 'number' || typeof value === 'boolean'))
    return 'Quote it if it is text.';
  if (value === null)
    return 'Give it a value or remove the key. A value that begins with # needs quotes.';
  const isMap = typeof value === 'object' && !Array.isArray(value);
  if (isMap && expected.startsWith('a list'))
    return 'Begin each entry with a hyphen, as in `- name: check`, or `- check`.';
  return `Write ${expected}.`;
}

export function createShapeCheck<T extends Type.TObject>(
  schema: T,
  hints: ShapeHints = {},
): ShapeCheck<T> {
  const properties: Properties = schema.properties;
  const knownKeys = Object.keys(properties);
  const takesText = (key: string): boolean => {
    const own: { type?: unknown; anyOf?: readonly { type?: unknown; const?: unknown }[] } =
      properties[key] ?? {};
    return [own, ...(own.anyOf ?? [])].some(({ type }) => type === 'string');
  };
  const requiredKeys = new Set<string>(schema.required);
  const ownHints = new Map(Object.entries(hints));
  const describeExpected = (key: string) =>
    String(Reflect.get(properties[key] ?? {}, 'description') ?? 'something else');
  // Compiled for the first file, so that start-up does not pay for it.
  const compiled = new Map<string, (part: unknown) => boolean>();
  const fits = (key: string, part: unknown): boolean => {
    let check = compiled.get(key);
    if (!check) {
      const validator = Compile(properties[key] ?? {});
      check = (value) => validator.Check(value);
      compiled.set(key, check);
    }
    return check(part);
  };

  return (value, path, positions, findings) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      findings.error(
        'wrong-type',
        positions.value(path),
        `${toKeyText(path) || 'The front matter'} must be a map, but is ${describeValueType(value)}.`,
        `Its keys: ${knownKeys.join(', ')}.`,
      );
      return null;
    }
    const good: Record<string, unknown> = {};
    for (const [key, part] of Object.entries(value)) {
      const here = [...path, key];
      if (!knownKeys.includes(key)) {
        findings.error(
          'unknown-key',
          positions.key(here),
          `Unknown key ${toKeyText(here)}.`,
          ownHints.get(key) ?? suggestClosestName(key, knownKeys),
        );
      } else if (!fits(key, part)) {
        const expected = describeExpected(key);
        const message = `${toKeyText(here)} must be ${expected}, but is ${describeValueType(part)}.`;
        findings.error(
          'wrong-type',
          positions.value(here),
          message,
          ownHints.get(key) ?? suggestTypeFix(part, expected, takesText(key)),
        );
      } else {
        good[key] = part;
      }
    }
    for (const key of requiredKeys) {
      if (Object.hasOwn(value, key)) continue;
      // The mistyped name already has a finding.
      const mistyped = Object.keys(value).some(
        (other) => !knownKeys.includes(other) && findClosestName(other, knownKeys) === key,
      );
      if (mistyped) continue;
      findings.error(
        'missing-key',
        positions.value(path),
        `${toKeyText([...path, key])} is missing.`,
        ownHints.get(key) ?? `Add ${key}: ${describeExpected(key)}.`,
      );
    }
    return good as Partial<Type.Static<T>>;
  };
}
