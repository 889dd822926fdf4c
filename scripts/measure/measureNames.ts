import type { ModuleFunction } from './readFunctions.ts';
import { beginsWithVerb } from './verbs.ts';

/** Figures about the names of functions; shares are of all functions, 0 to 1. */
export interface NameFigures {
  functions: number;
  of: number;
  sameName: number;
  verbFirst: number;
}

/** A component of the dashboard: a noun by convention, so not counted. */
const isComponent = (name: string): boolean => /^[A-Z]/.test(name);

export function measureNames(modules: ReadonlyMap<string, readonly ModuleFunction[]>): NameFigures {
  const names = [...modules.values()].flatMap((functions) => [
    ...new Set(functions.map(({ name }) => name).filter((name) => !isComponent(name))),
  ]);
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    functions: names.length,
    of: names.filter((name) => /[a-z]Of$/.test(name)).length,
    sameName: names.filter((name) => (counts.get(name) ?? 0) > 1).length / names.length,
    verbFirst: names.filter(beginsWithVerb).length / names.length,
  };
}
