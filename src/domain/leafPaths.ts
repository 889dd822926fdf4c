/**
 * Dotted paths of the leaf states of a state value as XState writes it, a name or names nested in
 * objects: `{ working: 'inSession' }` → `['working.inSession']`. One path for each parallel region.
 */
export function leafPaths(value: unknown): string[] {
  const leaves: string[] = [];
  gather(value, '', leaves);
  return leaves;
}

/** The first two names of the first of these paths: `{ working: 'inSession' }` → `['working', 'inSession']`. */
export function firstNames(value: unknown): [top: string | undefined, below: string | undefined] {
  if (typeof value !== 'object' || value === null) return [nameIn(value), undefined];
  const top = nameIn(value);
  return [top, top === undefined ? undefined : nameIn(Reflect.get(value, top))];
}

const nameIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : Object.keys(value ?? {})[0];

function gather(value: unknown, prefix: string, leaves: string[]): void {
  if (typeof value === 'string') leaves.push(prefix + value);
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) {
    const before = leaves.length;
    gather(Reflect.get(value, name), `${prefix}${name}.`, leaves);
    if (leaves.length === before) leaves.push(prefix + name);
  }
}
