import type { DiffFile, DiffLine, LinePlace } from '../diff/diffFile.ts';

/** Most lines above a comment that can be chosen as its first one. */
const MOST_ABOVE = 40;

const readNumberOnSide = (line: DiffLine, side: LinePlace['side']): number | null =>
  line.kind === 'hunk' ? null : side === 'before' ? line.before : line.after;

/** The lines of a file that a comment from one number to another is about. */
export const listLinesBetween = (
  file: DiffFile | undefined,
  side: LinePlace['side'],
  first: number,
  last: number,
): string[] =>
  (file?.lines ?? [])
    .filter((line) => {
      const number = readNumberOnSide(line, side);
      return number !== null && number >= first && number <= last;
    })
    .map(({ text }) => text);

/** Numbers at which a comment on a line may begin: the lines above it in the diff, and its own. */
export function listPossibleStarts(
  file: DiffFile | undefined,
  side: LinePlace['side'],
  last: number,
): number[] {
  const numbers = (file?.lines ?? []).flatMap((line) => readNumberOnSide(line, side) ?? []);
  const starts: number[] = [];
  for (let number = last; numbers.includes(number) && starts.length <= MOST_ABOVE; number--)
    starts.unshift(number);
  return starts;
}
