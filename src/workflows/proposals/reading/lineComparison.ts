/**
 * Most pairs of equal lines for which two texts are compared. The time grows with them, and an
 * agent chooses the text. About 0.2 s.
 */
const MAX_PAIRS = 400_000;

export const splitLines = (text: string): string[] => text.split('\n');

/** Whether two texts can be compared in an acceptable time. */
export function canCompare(a: readonly string[], b: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  let pairs = 0;
  for (const line of b) pairs += counts.get(line) ?? 0;
  return pairs <= MAX_PAIRS;
}

/** How many lines two texts share at the beginning, and at the end after those. */
export function countAlikeLines(
  a: readonly string[],
  b: readonly string[],
): { first: number; last: number } {
  const most = Math.min(a.length, b.length);
  let first = 0;
  while (first < most && a[first] === b[first]) first += 1;
  let last = 0;
  while (last < most - first && a[a.length - 1 - last] === b[b.length - 1 - last]) last += 1;
  return { first, last };
}
