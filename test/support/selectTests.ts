import type { LongPart } from './longLane.ts';

/** What runs where no file is named: all but the long lane, the files that have tests of it, all, or none. */
export type Lane = 'default' | 'long' | 'all' | 'none';

export interface SelectedTests {
  files: string[];
  /** Those of them that run with their tests of the long lane. */
  whole: ReadonlySet<string>;
  /** Files with tests of the long lane that run after those, whole. */
  after: string[];
  /** Words that select none: a mistake that must not pass for success. */
  unmatched: string[];
  /** How many files have tests of the long lane that do not run. */
  left: number;
}

export interface TestSelection {
  lane: Lane;
  /** What a change reaches: it runs whole, after the default lane or, where no lane runs, alone. */
  reached?: readonly string[];
  /** Of named files, only the tests of the default lane run. */
  short?: boolean;
  /** The file that a word names by its path, whatever it is called. */
  fileAt(word: string): string | undefined;
}

/**
 * Which of all test files run. Without words: those of the lane, and all that a change reaches. With words: each
 * whose path contains one of them, whole; in the long lane those of them that have tests of it.
 */
export function selectTests(
  all: Readonly<Record<string, LongPart>>,
  words: readonly string[],
  { lane, reached = [], short = false, fileAt }: TestSelection,
): SelectedTests {
  const candidates = Object.keys(all).filter((file) => lane !== 'long' || all[file] !== 'none');
  if (words.length > 0) {
    const chosen = words.map((word) => {
      const path = fileAt(word);
      return path === undefined ? candidates.filter((file) => file.includes(word)) : [path];
    });
    const files = [...new Set(chosen.flat())];
    const unmatched = words.filter((_, index) => chosen[index]?.length === 0);
    if (short) {
      const run = files.filter((file) => all[file] !== 'all');
      const leftCount = files.filter((file) => (all[file] ?? 'none') !== 'none').length;
      return { files: run, whole: new Set(), after: [], unmatched, left: leftCount };
    }
    return { files, whole: new Set(files), after: [], unmatched, left: 0 };
  }
  const files = candidates.filter((file) =>
    lane === 'none' ? reached.includes(file) : lane !== 'default' || all[file] !== 'all',
  );
  const isLeft = (file: string) => all[file] !== 'none' && !reached.includes(file);
  return {
    files,
    whole: new Set(lane === 'default' ? [] : files),
    after: lane === 'default' ? reached.filter((file) => all[file] !== 'none') : [],
    unmatched: files.length > 0 || lane === 'none' ? [] : ['test/**/*.test.ts'],
    left: lane === 'default' ? candidates.filter(isLeft).length : 0,
  };
}
