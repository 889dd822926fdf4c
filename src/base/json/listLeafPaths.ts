/**
 * Dotted paths of the leaf states of a state value as XState writes it, a name or names nested in
 * objects: `{ working: 'inSession' }` → `['working.inSession']`. One path for each parallel region.
 */
export function listLeafPaths(value: unknown): string[] {
  const leaves: string[] = [];
  collectLeaves(value, '', leaves);
  return leaves;
}

/** The first two names of the first of these paths: `{ working: 'inSession' }` → `['working', 'inSession']`. */
export function readFirstNames(
  value: unknown,
): [top: string | undefined, below: string | undefined] {
  if (typeof value !== 'object' || value === null) return [readStateName(value), undefined];
  const top = readStateName(value);
  return [top, top === undefined ? undefined : readStateName(Reflect.get(value, top))];
}

const readStateName = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : Object.keys(value ?? {})[0];

function collectLeaves(value: unknown, prefix: string, leaves: string[]): void {
  if (typeof value === 'string') leaves.push(prefix + value);
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) {
    const before = leaves.length;
    collectLeaves(Reflect.get(value, name), `${prefix}${name}.`, leaves);
    if (leaves.length === before) leaves.push(prefix + name);
  }
}
