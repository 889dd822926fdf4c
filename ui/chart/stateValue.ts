/** Dotted paths of the leaves of a state value as XState writes it: a name, or names nested in objects. */
export function leavesOf(value: unknown, before = ''): string[] {
  if (typeof value === 'string') return [before + value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const leaves = leavesOf(inner, `${before}${name}.`);
    return leaves.length > 0 ? leaves : [before + name];
  });
}
