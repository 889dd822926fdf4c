import type { AnyMachineSnapshot, AnyStateNode, StateValue } from 'xstate';

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
