import type { AnyMachineSnapshot, AnyStateNode, StateValue } from 'xstate';
import type { DurableChart, DurableEvent } from './chart.ts';
import type { WayOut } from './questions.ts';

/**
 * The nodes of the configuration, outer ones first and regions in definition order. Derived from
 * the state value: the snapshot's list is private, and `getNextTransitions` lists a node shared by
 * regions once.
 */
export const listSnapshotNodes = ({ machine, value }: AnyMachineSnapshot): AnyStateNode[] => [
  ...walkNodesUnder(machine.root, value),
];

function* walkNodesUnder(node: AnyStateNode, value: StateValue): Generator<AnyStateNode> {
  yield node;
  const inner: [string, StateValue | undefined][] =
    typeof value === 'string' ? [[value, {}]] : Object.entries(value);
  for (const [name, below] of inner) {
    const child = node.states[name];
    if (child) yield* walkNodesUnder(child, below ?? {});
  }
}

type Arrow = AnyStateNode['transitions'] extends Map<string, (infer A)[]> ? A : never;
type Openness = WayOut['open'];

const isLeaf = (node: AnyStateNode) => node.type === 'atomic' || node.type === 'final';

/** The leaf, then its ancestors, in XState's order. */
function* walkOutwards(leaf: AnyStateNode): Generator<AnyStateNode> {
  for (let node: AnyStateNode | undefined = leaf; node; node = node.parent) yield node;
}

/** The guard's name and value; `depends` without an event it reads, or without a name. */
function evaluateGuards(
  chart: DurableChart,
  snapshot: AnyMachineSnapshot,
  arrow: Arrow,
  event?: DurableEvent,
): WayOut['guards'] {
  const { guard } = arrow;
  if (guard === undefined || typeof guard === 'function') return [];
  const name = typeof guard === 'string' ? guard : guard.type;
  const guardParams = typeof guard === 'string' ? undefined : guard.params;
  const note = chart.guards[name];
  const says = note?.says ?? name;
  const run = chart.machine.implementations.guards[name];
  if (typeof run !== 'function' || 'check' in run) return [{ name, says, value: 'depends' }];
  if (!event && (note?.readsEvent !== false || typeof guardParams === 'function'))
    return [{ name, says, value: 'depends' }];
  const args = { context: snapshot.context, event: event ?? { type: arrow.eventType } };
  try {
    const params = typeof guardParams === 'function' ? guardParams(args) : guardParams;
    return [{ name, says, value: Boolean(run(args, params)) }];
  } catch {
    // A throwing guard makes the event a chart-error: neither open nor closed.
    return [{ name, says, value: 'depends' }];
  }
}

/**
 * Every transition out of the configuration in XState's order. `open` is exact: a transition is
 * closed if an earlier one takes the event. With `event`, guards are evaluated on it.
 */
export function listWaysOut(
  chart: DurableChart,
  snapshot: AnyMachineSnapshot,
  event?: DurableEvent,
): WayOut[] {
  if (snapshot.status !== 'active') return [];
  const ways = new Map<Arrow, WayOut>();
  for (const leaf of listSnapshotNodes(snapshot).filter(isLeaf)) {
    const openness = new Map<string, Openness>();
    for (const node of walkOutwards(leaf)) {
      for (const arrow of [...node.transitions.values()].flat()) {
        const type: string = arrow.eventType;
        if (type.startsWith('xstate.')) continue;
        const guards = evaluateGuards(chart, snapshot, arrow, event);
        const own: Openness = guards[0]?.value ?? true;
        const earlier = openness.get(type) ?? false;
        const open: Openness =
          earlier === true || own === false ? false : earlier === 'depends' ? 'depends' : own;
        if (own === true) openness.set(type, true);
        else if (own === 'depends' && earlier !== true) openness.set(type, 'depends');
        // `X: {}` takes an event to do nothing: it blocks the ancestors' transitions and is none
        // itself.
        if (!arrow.target && arrow.actions.length === 0) continue;
        const way = ways.get(arrow);
        // Several regions share an ancestor: the most open of them decides.
        if (way)
          way.open =
            way.open === true || open === true
              ? true
              : way.open === 'depends' || open === 'depends'
                ? 'depends'
                : false;
        else
          ways.set(arrow, {
            event: type,
            from: chart.senders[type] ?? 'anybody',
            target: formatArrowTarget(arrow),
            open,
            guards,
          });
      }
    }
  }
  return [...ways.values()];
}

const formatArrowTarget = (arrow: Arrow): string | null =>
  arrow.target?.map((node: AnyStateNode) => node.path.join('.')).join(' & ') ?? null;
