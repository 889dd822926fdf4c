import {
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createEmptyActor,
  type EventObject,
  type Snapshot,
  type StateValue,
} from 'xstate';
import { listLeafPaths } from '../base/json/listLeafPaths.ts';

export interface Effect {
  type: string;
  params: unknown;
}

export interface StepResult {
  snapshot: AnyMachineSnapshot;
  effects: Effect[];
  /** State values passed through, as text; the last is the final one. */
  path: string[];
}

let effects: Effect[] = [];
let path: string[] = [];

/** `working.inSession`; regions of a parallel state are joined by ` & `. */
export function formatStateValue(value: StateValue): string {
  return listLeafPaths(value).join(' & ');
}

function passThrough(value: StateValue): void {
  const text = formatStateValue(value);
  if (path.at(-1) !== text) path.push(text);
}

// The only place that uses what XState exports without a promise (an inert actor's system and hook,
// `transition` with a scope): `transition()` and `getMicrosteps()` create an actor per call, which
// costs five times the step.
const self = createEmptyActor();
const system = {
  ...self.system,
  // What `inspect` would get, without a copy of each event.
  _sendInspectionEvent({ type, snapshot }: { type: string; snapshot?: object }): void {
    if (type === '@xstate.microstep' && snapshot !== undefined && 'value' in snapshot)
      passThrough(snapshot.value as StateValue);
  },
};
const scope: AnyActorScope = {
  self,
  system,
  id: '',
  sessionId: '',
  logger() {},
  defer() {},
  stopChild() {},
  emit() {},
  actionExecutor(action) {
    const params = action.params as Record<string, unknown> | undefined;
    // An undelayed raise is already in the macrostep's queue.
    if (action.type === 'xstate.raise' && params?.delay === undefined) return;
    if (action.type.startsWith('xstate.'))
      throw new Error(`${action.type} is not allowed in a durable chart`);
    effects.push({ type: action.type, params: params ?? {} });
  },
};

function collect(run: () => AnyMachineSnapshot): StepResult {
  effects = [];
  path = [];
  const snapshot = run();
  if (snapshot.status === 'error') throw snapshot.error;
  passThrough(snapshot.value);
  return { snapshot, effects, path };
}

/** Starts an actor. Throws what the chart throws. */
export const startMachine = (machine: AnyStateMachine, input: unknown): StepResult =>
  collect(() => machine.getInitialSnapshot(scope, input));

/** Steps one event; null = the chart does not take it. Throws what the chart throws. */
export function stepMachine(
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: EventObject,
): StepResult | null {
  // XState itself would still take root transitions of a finished actor.
  if (snapshot.status !== 'active') return null;
  if (event.type.startsWith('xstate.')) throw new Error(`events named xstate.… are XState's own`);
  const stepped = collect(() => machine.transition(snapshot, event, scope));
  return stepped.snapshot === snapshot && stepped.effects.length === 0 ? null : stepped;
}

type PersistedSnapshot = Readonly<Record<string, unknown>>;

/** Rebuilt states per machine and state value: finding a value's nodes is the slowest part. */
const patterns = new WeakMap<AnyStateMachine, Map<string, AnyMachineSnapshot>>();

/** Rebuilds a snapshot from its persisted form. Throws if a state no longer exists. */
export function revive(machine: AnyStateMachine, persisted: PersistedSnapshot): AnyMachineSnapshot {
  const { status, output, error, value, historyValue, context } = persisted;
  // The history's nodes belong to the actor itself.
  if (Object.keys(historyValue ?? {}).length > 0)
    return { ...resolvePersisted(machine, persisted), context } as AnyMachineSnapshot;
  const byStatus = patterns.get(machine) ?? new Map<string, AnyMachineSnapshot>();
  patterns.set(machine, byStatus);
  const text = JSON.stringify(value);
  const pattern = byStatus.get(text) ?? resolvePersisted(machine, persisted);
  byStatus.set(text, pattern);
  const own = { status, output, error, context, historyValue: {}, children: {} };
  return { ...pattern, ...own } as AnyMachineSnapshot;
}

/** XState would search the whole context for actors, of which a durable chart has none. */
const resolvePersisted = (
  machine: AnyStateMachine,
  persisted: PersistedSnapshot,
): AnyMachineSnapshot => {
  const light: Record<string, unknown> = { ...persisted, context: {} };
  return machine.restoreSnapshot(light as Record<string, unknown> & Snapshot<unknown>, scope);
};
