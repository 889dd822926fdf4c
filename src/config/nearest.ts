/** Edits (insert, drop, replace, swap of neighbours) that turn `a` into `b`. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(a.length, b.length);
}

/** Longer words are not compared: the table of distances grows with the square. */
const LONGEST_WORD = 64;

/** The known word that `word` was probably meant to be; null when none is close. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > LONGEST_WORD) return null;
  let best: { name: string; edits: number } | null = null;
  for (const name of known) {
    const edits = distance(word.toLowerCase(), name.toLowerCase());
    if (edits <= Math.max(1, Math.floor(name.length / 3)) && (best === null || edits < best.edits)) best = { name, edits };
  }
  return best?.name ?? null;
}
