import type { Place } from './findings.ts';

/**
 * What follows the name of a tool up to one of its arguments, in one line or several: `{ "phase": …`,
 * `({ phase: …`, `` ` with `{ "phase": … ``. Bounded, so that a long text takes no quadratic time.
 */
export const ARGUMENTS =
  '`?\\s{0,40}(?:with\\s{1,40}`?)?\\(?\\s{0,40}\\{[^{}]{0,300}?(?<![A-Za-z_])["\'`]?';
/** What is between the name of an argument and its value. */
export const IS = '["\'`]?\\s{0,40}[:=]\\s{0,40}';

/**
 * Gives the place of an offset in a text. `firstLine` is the file's line that the text begins on.
 */
export function createPlaceLookup(text: string, firstLine: number): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: firstLine + low, column: offset - (starts[low] ?? 0) + 1 };
  };
}
