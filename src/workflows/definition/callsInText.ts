import type { Place } from './findings.ts';

/**
 * The text between a tool's name and one of its arguments, over one or several lines: `{ "phase":
 * …`, `({ phase: …`, `` ` with `{ "phase": … ``. Bounded, to avoid quadratic time.
 */
export const ARGUMENTS =
  '`?\\s{0,40}(?:with\\s{1,40}`?)?\\(?\\s{0,40}\\{[^{}]{0,300}?(?<![A-Za-z_])["\'`]?';
/** The text between an argument's name and its value. */
export const IS = '["\'`]?\\s{0,40}[:=]\\s{0,40}';

/** Converts an offset in a text to a place. `firstLine`: the file's line where the text begins. */
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
