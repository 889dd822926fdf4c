import type { LongPart } from './longLane.ts';

export interface SelectedTests {
  files: string[];
  /** Words that select none: a mistake that must not pass for success. */
  unmatched: string[];
  /** Whether tests of the long lane run, too. */
  long: boolean;
  /** How many files have tests of the long lane that do not run. */
  left: number;
}

/**
 * Which of all test files run. Without words: each that has tests of the long lane, or all but
 * those that are of it alone. With words: each whose path contains one of them, or of these those
 * with tests of the long lane. `fileAt`: the file that a word names by its path, whatever it is
 * called.
 */
export function selectTests(
  all: Readonly<Record<string, LongPart>>,
  words: readonly string[],
  { long, fileAt }: { long: boolean; fileAt(word: string): string | undefined },
): SelectedTests {
  const named = Object.keys(all).filter((file) => !long || all[file] !== 'none');
  if (words.length === 0) {
    const files = named.filter((file) => long || all[file] !== 'all');
    const left = long ? 0 : named.filter((file) => all[file] !== 'none').length;
    return { files, unmatched: files.length > 0 ? [] : ['test/**/*.test.ts'], long, left };
  }
  const chosen = words.map((word) => {
    const path = fileAt(word);
    return path === undefined ? named.filter((file) => file.includes(word)) : [path];
  });
  return {
    files: [...new Set(chosen.flat())],
    unmatched: words.filter((_, index) => chosen[index]?.length === 0),
    long: true,
    left: 0,
  };
}
