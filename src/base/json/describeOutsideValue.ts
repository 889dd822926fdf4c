const MAX_SHOWN_CHARS = 40;

/** A value from outside in a few characters, for a message about what is wrong with it. */
export function describeOutsideValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_SHOWN_CHARS));
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
