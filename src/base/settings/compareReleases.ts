/** Numbers of `1.2.3-beta.4`, and what follows the hyphen; null for another form. */
function parseRelease(release: string): { numbers: number[]; pre: string[] } | null {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(release);
  if (match === null) return null;
  return { numbers: match.slice(1, 4).map(Number), pre: match[4]?.split('.') ?? [] };
}

function comparePre(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  const [isX, isY] = [Number.isInteger(x), Number.isInteger(y)];
  if (isX && isY) return x - y;
  if (isX !== isY) return isX ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}

/**
 * Below 0 where `a` is the older release of svc, above 0 where it is the newer one, by the rules of
 * semantic versioning. 0 too where one of them has no such form: nothing is known then.
 */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [parseRelease(a), parseRelease(b)];
  if (left === null || right === null) return 0;
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // A release comes after its pre-releases.
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length;
  for (const [index, part] of left.pre.entries()) {
    const other = right.pre[index];
    if (other === undefined) return 1;
    const difference = comparePre(part, other);
    if (difference !== 0) return difference;
  }
  return left.pre.length - right.pre.length;
}
