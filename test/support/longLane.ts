import type { Test } from 'uvu';

/** Set to 1 by the runner of tests where the long lane runs too. */
export const LONG_LANE_VARIABLE = 'SVC_LONG_LANE';

/** Whether the long lane runs too: what plays a sample of many plays more of them. */
export const inLongLane = process.env[LONG_LANE_VARIABLE] === '1';

/**
 * What a test file registers its tests of the long lane with, beside those that always run:
 *
 *   const test = suite('browser: a pull request is reviewed');
 *   const long = longLane(test);
 */
export const longLane = <T>(test: Test<T>): ((...args: Parameters<Test<T>>) => void) =>
  inLongLane ? test : () => undefined;

export type LongPart = 'all' | 'some' | 'none';

/** By the file's name, and by its source. */
export function findLongPart(file: string, source: string): LongPart {
  if (file.endsWith('.long.test.ts')) return 'all';
  return /\blongLane\(test\)|\binLongLane\b/.test(source) ? 'some' : 'none';
}
