/** Files of the long lane: what a change rarely breaks alone, and takes many minutes together. */
const isOfLongLane = (file: string) => file.endsWith('.long.test.ts');

export interface SelectedTests {
  files: string[];
  /** Words that select none: a mistake that must not pass for success. */
  unmatched: string[];
  /** How many files of the long lane a run of everything leaves out. */
  left: number;
}

/**
 * Which of `all` test files run. Without words: the long lane, or all but it. With words: each whose
 * path contains one of them, of the long lane too, or of it alone. `fileAt`: the file that a word
 * names by its path, whatever it is called.
 */
export function selectTests(
  all: readonly string[],
  words: readonly string[],
  { long, fileAt }: { long: boolean; fileAt(word: string): string | undefined },
): SelectedTests {
  const lane = all.filter(isOfLongLane);
  if (words.length === 0) {
    const files = long ? lane : all.filter((file) => !isOfLongLane(file));
    const unmatched = files.length > 0 ? [] : ['test/**/*.test.ts'];
    return { files, unmatched, left: long ? 0 : lane.length };
  }
  const chosen = words.map((word) => {
    const named = fileAt(word);
    return named === undefined
      ? (long ? lane : all).filter((file) => file.includes(word))
      : [named];
  });
  return {
    files: [...new Set(chosen.flat())],
    unmatched: words.filter((_, index) => chosen[index]?.length === 0),
    left: 0,
  };
}
