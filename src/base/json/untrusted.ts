import { isJsonObject } from './isJsonObject.ts';

/**
 * Readers of JSON from outside that no schema has checked: what is missing, or of another kind, is
 * read as empty instead of failing.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; empty if it is not one. */
export const toFields = (value: unknown): Fields => (isJsonObject(value) ? value : {});

/** The value as text; empty if it is not one. {@link readTextAt} also takes numbers. */
export const toStringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value as text, an empty one included; null if it is not one. */
export const toStringOrNull = (value: unknown): string | null =>
  typeof value === 'string' ? value : null;

/** The value as text that is not empty; null if it is not one. */
export const toFilledStringOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** The value as a list; empty if it is not one. */
export const toListOrEmpty = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : [];

/** A count, such as of tokens, rounded; 0 for anything but a positive number. */
export const toRoundedCount = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER) : 0;

/** The value at a path; undefined = none. Members of the prototype do not count. */
export function readAtPath(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

/** The text at a path, a number as text; empty if it is neither. */
export function readTextAt(value: unknown, ...path: readonly string[]): string {
  const atPath = readAtPath(value, ...path);
  return typeof atPath === 'string' ? atPath : typeof atPath === 'number' ? String(atPath) : '';
}

/** A whole number from 0 to 2^53-1, such as that of a pull request; null for every other value. */
export const toWholeNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** The whole number from 0 at a path; null if it has none. */
export const readNumberAt = (value: unknown, ...path: readonly string[]): number | null =>
  toWholeNumber(readAtPath(value, ...path));

/** The list at a path; empty if it has none. */
export function readListAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  return toListOrEmpty(readAtPath(value, ...path));
}

/** Whether there is a value at a path other than null. */
export const hasValueAt = (value: unknown, ...path: readonly string[]): boolean =>
  readAtPath(value, ...path) != null;

/** The last time that is a date everywhere, epoch ms: the end of the year 9999. */
export const LAST_TIME = 253_402_300_799_999;

/** Whole epoch ms from 1970 to the year 9999; null for every other number. */
export const toTime = (ms: number): number | null =>
  ms >= 0 && ms <= LAST_TIME ? Math.round(ms) : null;

/** Epoch ms of a date as text or of epoch ms; null for other values, and for impossible dates. */
export function readTimeAt(value: unknown, ...path: readonly string[]): number | null {
  const atPath = readAtPath(value, ...path);
  if (typeof atPath === 'number') return toTime(atPath);
  return typeof atPath === 'string' ? toTime(Date.parse(atPath)) : null;
}

/** The date of a value as {@link readTimeAt} reads it, ISO 8601; 1970-01-01 if it is not a date. */
export const toIsoDate = (value: unknown): string => new Date(readTimeAt(value) ?? 0).toISOString();

/** Compares two dates, earlier first; values that are not dates come before all others. */
export const compareDates = (one: unknown, other: unknown): number =>
  (readTimeAt(one) ?? 0) - (readTimeAt(other) ?? 0);

export const dropEmptyTexts = (...texts: readonly string[]): string[] =>
  texts.filter((one) => one !== '');
