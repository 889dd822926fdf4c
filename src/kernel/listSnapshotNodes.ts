import type { AnyMachineSnapshot, AnyStateNode, StateValue } from 'xstate';

/**
 * The nodes of the configuration, outer ones first and regions in the order of their definition.
 * Found from the state value: the list in the snapshot is private, and `getNextTransitions` names a
 * node that several regions share once.
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
