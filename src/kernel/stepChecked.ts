import type { AnyMachineSnapshot } from 'xstate';
import { type DurableChart, type DurableEvent, INTRINSICS } from './chart.ts';
import { KernelError } from './contract.ts';
import type { Ports } from './port.ts';
import type { Refusal } from './questions.ts';
import { startMachine, type StepResult, formatStateValue, stepMachine } from './stepMachine.ts';
import { listLeafPaths } from '../base/json/listLeafPaths.ts';
import { listWaysOut } from './listWaysOut.ts';
import { readThrownMessage } from './work.ts';

const intrinsic: ReadonlySet<string> = new Set(INTRINSICS);

function requireEffectPorts(stepped: StepResult, ports: Ports): StepResult {
  for (const { type } of stepped.effects) {
    if (!intrinsic.has(type) && !Object.hasOwn(ports, type))
      throw new Error(`there is no port for the effect ${type}`);
  }
  return stepped;
}

/** A committable start. Throws KernelError `chart-error`. */
export function startChecked(
  chart: DurableChart,
  ports: Ports,
  id: string,
  input: unknown,
): StepResult {
  try {
    return requireEffectPorts(startMachine(chart.machine, input), ports);
  } catch (error) {
    throw new KernelError(
      'chart-error',
      `Chart ${chart.id} could not start ${id}: ${readThrownMessage(error)}`,
      error,
    );
  }
}

/** A committable step; null = not taken by the chart. Throws KernelError `chart-error`. */
export function stepChecked(
  chart: DurableChart,
  ports: Ports,
  id: string,
  snapshot: AnyMachineSnapshot,
  event: DurableEvent,
): StepResult | null {
  try {
    const stepped = stepMachine(chart.machine, snapshot, event);
    return stepped && requireEffectPorts(stepped, ports);
  } catch (error) {
    const where = `${id} in ${formatStateValue(snapshot.value)}`;
    throw new KernelError(
      'chart-error',
      `Chart ${chart.id} failed at ${event.type} (${where}): ${readThrownMessage(error)}`,
      error,
    );
  }
}

export function createUntakenEventRefusal(
  chart: DurableChart,
  snapshot: AnyMachineSnapshot,
  event: DurableEvent,
): Refusal {
  const ways = listWaysOut(chart, snapshot);
  const guards = new Map<string, string>();
  for (const way of listWaysOut(chart, snapshot, event)) {
    if (way.event !== event.type) continue;
    for (const { name, says, value } of way.guards) if (value === false) guards.set(name, says);
  }
  return {
    state: listLeafPaths(snapshot.value),
    accepts: [...new Set(ways.filter((way) => way.open !== false).map((way) => way.event))],
    guards: [...guards].map(([name, says]) => ({ name, says })),
  };
}
