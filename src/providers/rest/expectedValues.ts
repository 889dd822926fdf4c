/**
 * Checks of single values of an answer that cannot do without them: what is of another kind makes the
 * answer unusable. Values that an answer can do without are read with `lib/untrusted.ts`.
 */

/** Thrown for a value of another kind; the message is a clause such as "the body of a comment is not a string". */
class UnexpectedValue extends Error {
  override readonly name = 'UnexpectedValue';
}

/** Whether an error names a value of an answer; any other one is of the program that read it. */
export const isUnexpectedValue = (error: unknown): boolean => error instanceof UnexpectedValue;

/** `what`: the value with its article, as the message names it. */
export function expectText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new UnexpectedValue(`${what} is not a string`);
}

/** A text that is not empty, or a whole number, as text. */
export function expectId(value: unknown, what: string): string {
  if ((typeof value === 'string' && value !== '') || Number.isSafeInteger(value))
    return String(value);
  throw new UnexpectedValue(`${what} is neither a number nor a text`);
}

/** Whether a value is an id of 64 bits: a number, or the digits of one that is too large for that. */
export const isNumericId = (value: unknown): value is number | string =>
  (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) ||
  (typeof value === 'string' && /^\d{1,20}$/.test(value));

/** The number of a pull request. */
export function expectNumber(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new UnexpectedValue(`${what} is not a number of at least 1`);
}

/** One of the words that are known. */
export function expectWord<T extends string>(value: unknown, words: readonly T[], what: string): T {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new UnexpectedValue(`${what} is not one of ${words.join(', ')}`);
}

/** A date as text. */
export function expectDate(value: unknown, what: string): string {
  if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value;
  throw new UnexpectedValue(`${what} is not a date`);
}

/** An account by the member with its name, or null for one that is gone. */
export function expectAuthor(author: unknown, name: string): void {
  if (author !== null) expectText(Object(author)[name], 'the name of an author');
}

/** A list. */
export function expectList<T>(value: readonly T[], what: string): readonly T[] {
  if (Array.isArray(value)) return value;
  throw new UnexpectedValue(`${what} is not a list`);
}
