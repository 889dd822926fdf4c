/** Names longer than this are not compared: nobody mistypes them into a known one. */
const LONGEST_COMPARED = 64;

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known name that was probably meant: at most a third of its letters differ. Null = none comes near. */
export function closestName(written: string, known: Iterable<string>): string | null {
  if (written.length > LONGEST_COMPARED) return null;
  const plain = (name: string) => name.toLowerCase().replace(/[-_ ]/g, '');
  let best: { name: string; steps: number } | null = null;
  for (const name of known) {
    const most = Math.max(1, Math.floor(name.length / 3));
    const [a, b] = [plain(written), plain(name)];
    if (Math.abs(a.length - b.length) > most) continue;
    const steps = distance(a, b);
    if (steps <= most && steps < (best?.steps ?? Number.POSITIVE_INFINITY)) best = { name, steps };
  }
  return best?.name ?? null;
}

/** A hint that names what was probably meant, else all that there is. */
export function didYouMean(written: string, known: readonly string[]): string {
  const near = closestName(written, known);
  if (near !== null) return `Did you mean ${near}?`;
  return known.length > 0 ? `Known: ${known.join(', ')}.` : 'There are none.';
}
