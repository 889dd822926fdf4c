import { describeUnusualCharacters } from './codePoints.ts';

/** Names longer than this are not compared: the table of distances grows with the square. */
const LONGEST_COMPARED = 64;

/** Edits (insert, drop, replace, swap of neighbours) that turn `a` into `b`. */
function countEdits(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number =>
    rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const replaceCost = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapCost =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? at(i - 2, j - 2) + 1
          : Number.POSITIVE_INFINITY;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaceCost, swapCost));
    }
  }
  return at(a.length, b.length);
}

const toComparedName = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

/** The known name that was probably meant: at most a third differs. null = none is close. */
export function findClosestName(input: string, candidates: Iterable<string>): string | null {
  if (input.length > LONGEST_COMPARED) return null;
  let best: { name: string; edits: number } | null = null;
  for (const name of candidates) {
    const most = Math.max(1, Math.floor(name.length / 3));
    const [a, b] = [toComparedName(input), toComparedName(name)];
    if (Math.abs(a.length - b.length) > most) continue;
    const edits = countEdits(a, b);
    if (edits <= most && (best === null || edits < best.edits)) best = { name, edits };
  }
  return best?.name ?? null;
}

/**
 * A hint with the closest name, else with all names. Characters by which it differs from the closest
 * one although both look the same are named.
 */
export function suggestClosestName(input: string, candidates: readonly string[]): string {
  const near = findClosestName(input, candidates);
  if (near !== null) return `Did you mean ${near}?${describeUnusualCharacters(input, near)}`;
  return candidates.length > 0 ? `Known: ${candidates.join(', ')}.` : 'None exist.';
}
