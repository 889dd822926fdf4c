import type { StateValue } from 'xstate';

/** Dotted paths of the leaf states of a state value: `{ working: 'inSession' }` → `['working.inSession']`. */
export function leafPaths(value: StateValue): string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(value).flatMap(([name, inner]) =>
    inner === undefined ? [name] : leafPaths(inner).map((path) => `${name}.${path}`),
  );
}
