import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { type DurableChart, INTRINSICS } from '../../kernel/chart.ts';
import type {
  ChartArrow,
  ChartEffect,
  ChartGuard,
  ChartNode,
  Machine,
} from '../../contract/schema/workflow/machine.ts';

/** A stored chart, or a live one, which has no version. */
type DrawnChart = Pick<
  DurableChart,
  'id' | 'machine' | 'guards' | 'senders' | 'about' | 'versions'
> & {
  version?: number;
};
type ChartNotes = Pick<DrawnChart, 'machine' | 'guards' | 'senders'>;

/**
 * A chart as data, built from the nodes themselves, since XState's own `definition` omits eventless
 * arrows, and with them all routing and the completion gate.
 */
export function buildMachineView(chart: DrawnChart): Machine {
  const { id, version = 1, about = '', versions = {}, machine } = chart;
  const numbers = Array.from({ length: version }, (_, index) => index + 1);
  return {
    chart: id,
    kind: 'actor',
    label: id,
    description: about,
    version,
    versions: numbers.map((number) => ({ version: number, says: versions[number] ?? '' })),
    definition: toChartNode(chart, machine.root),
  };
}

const toChartNode = (chart: ChartNotes, node: AnyStateNode): ChartNode => ({
  path: toNodePath(node),
  name: node.key,
  type: node.type,
  initial: node.type === 'compound' ? (node.initial.target.map(toNodePath)[0] ?? null) : null,
  description: node.description ?? null,
  tags: [...node.tags],
  waits: readMetaWaits(node.meta),
  entry: node.entry.map((action) => toChartEffect(chart.machine, action)),
  exit: node.exit.map((action) => toChartEffect(chart.machine, action)),
  arrows: listNodeTransitions(node).map((transition, index) =>
    toChartArrow(chart, node, transition, index),
  ),
  states: Object.values(node.states).map((child) => toChartNode(chart, child)),
});

const listNodeTransitions = (node: AnyStateNode): AnyTransitionDefinition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
];

const toChartArrow = (
  chart: ChartNotes,
  source: AnyStateNode,
  transition: AnyTransitionDefinition,
  index: number,
): ChartArrow => ({
  id: `${toNodePath(source)}#${index}`,
  event: nameTransitionEvent(source, transition.eventType),
  from: transition.eventType === '' ? null : (chart.senders[transition.eventType] ?? null),
  targets: (transition.target ?? []).map(toNodePath),
  reenter: transition.reenter === true,
  guard:
    transition.guard === undefined
      ? null
      : toChartGuard(chart, readImplementationName(transition.guard)),
  effects: transition.actions.map((action) => toChartEffect(chart.machine, action)),
});

/** Words for XState's own events of timers and invoked actors, whose names are not readable. */
function nameTransitionEvent(node: AnyStateNode, type: string): string {
  const delay = node.after.find(({ eventType }) => eventType === type)?.delay;
  if (delay !== undefined) return `after ${delay}`;
  const [, how, id] = /^xstate\.(done|error)\.actor\.(.*)$/.exec(type) ?? [];
  const invoke = node.invoke.find((one) => one.id === id);
  if (!invoke) return type;
  const name = typeof invoke.src === 'string' ? invoke.src : invoke.id;
  return how === 'done' ? `${name} answered` : `${name} failed`;
}

function toChartGuard({ guards }: ChartNotes, name: string): ChartGuard {
  const { says, readsEvent } = guards[name] ?? { says: name, readsEvent: true };
  return { name, says, readsEvent };
}

/**
 * Actions that belong neither to the kernel nor to XState are data for a port: their functions do
 * nothing.
 */
function toChartEffect(machine: AnyStateMachine, action: unknown): ChartEffect {
  const name = readImplementationName(action);
  if (INTRINSICS.some((intrinsic) => intrinsic === name)) return { name, kind: 'commit' };
  const implementation: unknown = machine.implementations.actions[name] ?? action;
  const builtIn = typeof implementation === 'function' && 'resolve' in implementation;
  return { name, kind: builtIn ? 'inside' : 'outside' };
}

const toNodePath = (node: AnyStateNode): string => node.path.join('.');

const readImplementationName = (implementation: unknown): string => {
  if (typeof implementation === 'string') return implementation;
  if (typeof implementation === 'object' && implementation !== null && 'type' in implementation)
    return String(implementation.type);
  return typeof implementation === 'function' ? implementation.name : String(implementation);
};

const readMetaWaits = (meta: unknown): string[] => {
  if (typeof meta !== 'object' || meta === null || !('waits' in meta)) return [];
  return Array.isArray(meta.waits) ? meta.waits.map(String) : [String(meta.waits)];
};
