import { clip } from '../domain/clip.ts';

/** Readers of JSON that nobody has checked: what is not there, or of another kind, is left out. */

export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** Labels as texts, each cut. */
export const labelsOf = (value: unknown, most = 200): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {})
      .slice(0, 50)
      .map(([name, label]) => [clip(name, most), clip(textOf(label), most)]),
  );

/** Digits of a whole number of nanoseconds; null for anything else. */
export const nanoseconds = (value: unknown): bigint | null => (/^\d{1,20}$/.test(textOf(value)) ? BigInt(textOf(value)) : null);
