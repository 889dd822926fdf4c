import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

/** An arrow of the chart: where it leads, under which guard, and what it does. `event` is empty for an eventless one. */
export interface ChartArrow {
  event: string;
  /** Dotted paths; empty = it stays. */
  targets: string[];
  guard: string | null;
  effects: string[];
}

/** A state of the chart with the states in it. */
export interface ChartNode {
  /** Dotted path; empty for the root. */
  path: string;
  type: string;
  tags: string[];
  /** What a job in it waits for, in sentences. */
  waits: string[];
  entry: string[];
  exit: string[];
  arrows: ChartArrow[];
  states: ChartNode[];
}

/**
 * The chart as JSON, drawn from the nodes themselves: XState's own `definition` leaves eventless arrows out, and with
 * them all of routing and the completion gate.
 */
export const chartNodeOf = (machine: AnyStateMachine): ChartNode => nodeOf(machine.root);

const nodeOf = (node: AnyStateNode): ChartNode => ({
  path: pathOf(node),
  type: node.type,
  tags: [...node.tags],
  waits: waitsOf(node.meta),
  entry: node.entry.map(nameOf),
  exit: node.exit.map(nameOf),
  arrows: [...[...node.transitions.values()].flat(), ...(node.always ?? [])].map(arrowOf),
  states: Object.values(node.states).map(nodeOf),
});

const arrowOf = (transition: AnyTransitionDefinition): ChartArrow => ({
  event: transition.eventType,
  targets: (transition.target ?? []).map(pathOf),
  guard: transition.guard === undefined ? null : nameOf(transition.guard),
  effects: transition.actions.map(nameOf),
});

const pathOf = (node: AnyStateNode): string => node.path.join('.');

const nameOf = (named: unknown): string => {
  if (typeof named === 'string') return named;
  if (typeof named === 'object' && named !== null && 'type' in named) return String(named.type);
  return typeof named === 'function' ? named.name : String(named);
};

const waitsOf = (meta: unknown): string[] => {
  if (typeof meta !== 'object' || meta === null || !('waits' in meta)) return [];
  return Array.isArray(meta.waits) ? meta.waits.map(String) : [String(meta.waits)];
};
