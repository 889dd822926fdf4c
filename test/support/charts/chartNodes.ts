import type { ChartArrow, ChartNode } from '../../../src/contract/schema/workflow/machine.ts';

const bare = {
  description: null,
  tags: [],
  waits: [],
  entry: [],
  exit: [],
  arrows: [],
  states: [],
};

const getLastPart = (path: string): string => path.split('.').at(-1) ?? path;

/** A state without states in it. */
export const leaf = (path: string, arrows: ChartArrow[] = []): ChartNode => ({
  ...bare,
  path,
  name: getLastPart(path),
  type: 'atomic',
  initial: null,
  arrows,
});

/** A state with states in it; `initial` null for a parallel one. */
export const group = (path: string, initial: string | null, states: ChartNode[]): ChartNode => ({
  ...bare,
  path,
  name: getLastPart(path) || 'whole',
  type: 'compound',
  initial,
  states,
});

export const arrow = (
  id: string,
  event: string,
  targets: string[],
  more: { guard?: string; reenter?: boolean; effects?: string[] } = {},
): ChartArrow => ({
  id,
  event,
  from: event === '' ? null : 'a developer',
  targets,
  reenter: more.reenter ?? false,
  guard:
    more.guard === undefined
      ? null
      : { name: more.guard, says: `it is so: ${more.guard}`, readsEvent: false },
  effects: (more.effects ?? []).map((name) => ({ name, kind: 'outside' as const })),
});
