export interface CharacterRange {
  from: number;
  to: number;
}

/** Lines that are longer get no marks, characters. */
const LONGEST_CHARS = 1_000;
/** Words in the middle of a line that are compared; above it the whole middle counts as changed. */
const MOST_WORDS = 200;
/** Share of a line that must be the same: below it two lines are two lines, not one that changed. */
const LEAST_SAME = 0.3;

/** Words, the parts of a name such as `toLowerCase`, runs of spaces, and single signs. */
const WORD = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|\s+|[^\s]/gu;

const splitWords = (text: string): string[] => text.match(WORD) ?? [];

/** For each word whether it is also in the other text, in the same order (longest common part). */
function findCommonWords(
  before: readonly string[],
  after: readonly string[],
): [boolean[], boolean[]] {
  const wide = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * wide);
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      lengths[row * wide + column] =
        before[row] === after[column]
          ? (lengths[(row + 1) * wide + column + 1] ?? 0) + 1
          : Math.max(
              lengths[(row + 1) * wide + column] ?? 0,
              lengths[row * wide + column + 1] ?? 0,
            );
  const keptWords: [boolean[], boolean[]] = [before.map(() => false), after.map(() => false)];
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      keptWords[0][row++] = true;
      keptWords[1][column++] = true;
    } else if ((lengths[(row + 1) * wide + column] ?? 0) >= (lengths[row * wide + column + 1] ?? 0))
      row++;
    else column++;
  }
  return keptWords;
}

/** The changed parts of a text; neighbours, and what lies between two by one space, are one. */
function findChangedRanges(
  all: readonly string[],
  keptWords: readonly boolean[],
  start: number,
): CharacterRange[] {
  const characterRanges: CharacterRange[] = [];
  let at = start;
  all.forEach((word, index) => {
    const to = at + word.length;
    const last = characterRanges.at(-1);
    const between =
      last && word.trim() === '' && keptWords[index] && keptWords[index + 1] === false;
    if (keptWords[index] === false || (between && last.to === at)) {
      if (last && last.to === at) last.to = to;
      else characterRanges.push({ from: at, to });
    }
    at = to;
  });
  return characterRanges;
}

/** What differs in a changed line, by word. Empty if the lines share too little or are too long. */
export function markChangedWords(
  before: string,
  after: string,
): { before: CharacterRange[]; after: CharacterRange[] } {
  const none = { before: [], after: [] };
  if (before.length > LONGEST_CHARS || after.length > LONGEST_CHARS) return none;
  const [old, new_] = [splitWords(before), splitWords(after)];
  let head = 0;
  while (head < old.length && head < new_.length && old[head] === new_[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < new_.length - head &&
    old[old.length - 1 - tail] === new_[new_.length - 1 - tail]
  )
    tail++;
  const start = old.slice(0, head).join('').length;
  const [oldMiddle, newMiddle] = [
    old.slice(head, old.length - tail),
    new_.slice(head, new_.length - tail),
  ];
  const [keptOld, keptNew] =
    oldMiddle.length > MOST_WORDS || newMiddle.length > MOST_WORDS
      ? [oldMiddle.map(() => false), newMiddle.map(() => false)]
      : findCommonWords(oldMiddle, newMiddle);
  const marks = {
    before: findChangedRanges(oldMiddle, keptOld, start),
    after: findChangedRanges(newMiddle, keptNew, start),
  };
  const countChanged = (characterRanges: CharacterRange[]) =>
    characterRanges.reduce((sum, { from, to }) => sum + to - from, 0);
  const longest = Math.max(before.trim().length, after.trim().length);
  const same = longest - Math.max(countChanged(marks.before), countChanged(marks.after));
  return longest > 0 && same / longest < LEAST_SAME ? none : marks;
}
