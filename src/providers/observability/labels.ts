import { readTextAt } from '../../base/json/untrusted.ts';
import { clip } from '../../base/text/clip.ts';

export const readLabels = (value: unknown, most = 200): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {})
      .slice(0, 50)
      .map(([name, label]) => [clip(name, most), clip(readTextAt(label), most)]),
  );

/** Digits of a whole number of nanoseconds; null for anything else. */
export const parseNanoseconds = (value: unknown): bigint | null =>
  /^\d{1,20}$/.test(readTextAt(value)) ? BigInt(readTextAt(value)) : null;
