/**
 * Dotted paths of the leaf states of a state value as XState writes it, a name or names nested in
 * objects: `{ working: 'inSession' }` → `['working.inSession']`. One path for each parallel region.
 */
export function leafPaths(value: unknown): string[] {
  const leaves: string[] = [];
  gather(value, '', leaves);
  return leaves;
}

function gather(value: unknown, prefix: string, leaves: string[]): void {
  if (typeof value === 'string') leaves.push(prefix + value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const before = leaves.length;
    gather(inner, `${prefix}${name}.`, leaves);
    if (leaves.length === before) leaves.push(prefix + name);
  }
}
