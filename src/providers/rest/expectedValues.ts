/**
 * Checks of values that an answer must have: a wrong kind makes the answer unusable. Optional
 * values are read with `lib/untrusted.ts`.
 */

/**
 * Thrown for a value of a wrong kind; the message is a clause such as "the body of a comment is not
 * a string".
 */
class UnexpectedValue extends Error {
  override readonly name = 'UnexpectedValue';
}

export const isUnexpectedValue = (error: unknown): boolean => error instanceof UnexpectedValue;

/** `what`: the value with its article, for the message. */
export function expectText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new UnexpectedValue(`${what} is not a string`);
}

/** A text that is not empty, or a whole number; returned as text. */
export function expectId(value: unknown, what: string): string {
  if ((typeof value === 'string' && value !== '') || Number.isSafeInteger(value))
    return String(value);
  throw new UnexpectedValue(`${what} is neither a number nor a text`);
}

/** Whether a value is an id of 64 bits: a number, or the digits of a larger one. */
export const isNumericId = (value: unknown): value is number | string =>
  (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) ||
  (typeof value === 'string' && /^\d{1,20}$/.test(value));

export function expectNumber(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new UnexpectedValue(`${what} is not a number of at least 1`);
}

export function expectWord<T extends string>(value: unknown, words: readonly T[], what: string): T {
  const match = words.find((word) => word === value);
  if (match !== undefined) return match;
  throw new UnexpectedValue(`${what} is not one of ${words.join(', ')}`);
}

export function expectDate(value: unknown, what: string): string {
  if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value;
  throw new UnexpectedValue(`${what} is not a date`);
}

/** The account's name must be a text; null = the account is gone. */
export function expectAuthor(author: unknown, name: string): void {
  if (author !== null) expectText(Object(author)[name], 'the name of an author');
}

export function expectList<T>(value: readonly T[], what: string): readonly T[] {
  if (Array.isArray(value)) return value;
  throw new UnexpectedValue(`${what} is not a list`);
}
