import type { AnyStateNode } from 'xstate';
import type { DurableChart } from './chart.ts';

/**
 * Rejects a chart that could not be restored after a crash, or with undescribed guards. Throws
 * Error with the state's path.
 */
export function checkChart({ id, machine }: DurableChart): void {
  const refuse = (node: AnyStateNode, why: string) => {
    throw new Error(`Chart ${id}, state ${node.path.join('.') || '(root)'}: ${why}`);
  };
  if (machine.options.maxIterations === undefined || machine.options.maxIterations === Infinity) {
    refuse(
      machine.root,
      'options.maxIterations is not set; a cycle of eventless transitions would never end',
    );
  }
  const look = (node: AnyStateNode): void => {
    if (node.invoke.length > 0)
      refuse(node, 'invoke is not durable; make it an effect with a port');
    if (node.after.length > 0) refuse(node, 'after is not durable; use the effect timer.set');
    for (const { guard } of [...[...node.transitions.values()].flat(), ...(node.always ?? [])]) {
      if (typeof guard === 'function')
        refuse(
          node,
          'a guard has no name; name it in setup() (and(), or(), not() and stateIn() have none)',
        );
    }
    for (const child of Object.values(node.states)) look(child);
  };
  look(machine.root);
}
