/** Readers of JSON that nobody has checked: what is not there, or of another kind, is left out. */

export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** The text, or its begin and how much is left out. */
export const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;

/** Labels as texts, each cut. */
export const labelsOf = (value: unknown, most = 200): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {})
      .slice(0, 50)
      .map(([name, label]) => [clipped(name, most), clipped(textOf(label), most)]),
  );

/** Digits of a whole number of nanoseconds; null for anything else. */
export const nanoseconds = (value: unknown): bigint | null => (/^\d{1,20}$/.test(textOf(value)) ? BigInt(textOf(value)) : null);
