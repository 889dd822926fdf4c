/**
 * Dotted paths of the leaf states of a state value as XState writes it, a name or names nested in
 * objects: `{ working: 'inSession' }` → `['working.inSession']`. One path for each parallel region.
 */
export function leafPaths(value: unknown, prefix = ''): string[] {
  if (typeof value === 'string') return [prefix + value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const leaves = leafPaths(inner, `${prefix}${name}.`);
    return leaves.length > 0 ? leaves : [prefix + name];
  });
}
