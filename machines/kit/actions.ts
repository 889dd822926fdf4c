import type {
  ActionFunction,
  AnyMachineSnapshot,
  EventObject,
  MachineContext,
  ParameterizedObject,
} from 'xstate';
import type { Change } from './change.ts';

/** The action of an effect does nothing: the kernel collects its params. */
export const createEffectAction =
  <Params>() =>
  (_args: unknown, _params: Params): void => {};

type Action<
  Context extends MachineContext,
  Event extends EventObject,
  Effect extends ParameterizedObject,
  Params extends ParameterizedObject['params'] | undefined,
> = ActionFunction<Context, Event, Event, Params, never, Effect, never, never, EventObject>;

/** The params that a change wants from its transition: undefined where it takes none. */
type ParamsOf<Named> = Named extends (context: never, event: never, params: infer Params) => unknown
  ? Params extends ParameterizedObject['params']
    ? Params
    : undefined
  : never;

/**
 * The work of `enqueueActions` and `assign` at once. Together those two build a dozen closures, the
 * whole context twice and the state's value and tags again, for each change of each step; a change
 * of a durable chart spawns nothing and moves no state.
 */
function toChangeAction<
  Context extends MachineContext,
  Event extends EventObject,
  Effect extends ParameterizedObject,
  Params extends ParameterizedObject['params'] | undefined,
>(
  change: Change<Context, Event, Effect, Params>,
  copyOf: (context: Context) => Context,
): Action<Context, Event, Effect, Params> {
  const action: Action<Context, Event, Effect, Params> = () => {};
  return Object.assign(action, {
    type: 'svc.change',
    /** How XState asks an action what it makes of the snapshot, and which actions follow. */
    resolve(
      _scope: unknown,
      snapshot: AnyMachineSnapshot,
      { context, event }: { context: Context; event: Event },
      params: Params,
    ): [AnyMachineSnapshot, undefined, readonly Effect[] | undefined] {
      const { context: fields, effects } = change(context, event, params);
      const changed = fields
        ? replaceSnapshotContext(snapshot, Object.assign(copyOf(context), fields))
        : snapshot;
      return [changed, undefined, effects];
    },
  });
}

/** Field by field as XState makes it: V8 steps objects of one shape faster. */
function replaceSnapshotContext(
  snapshot: AnyMachineSnapshot,
  context: MachineContext,
): AnyMachineSnapshot {
  const changed: Record<keyof AnyMachineSnapshot, unknown> = {
    status: snapshot.status,
    output: snapshot.output,
    error: snapshot.error,
    machine: snapshot.machine,
    context,
    _nodes: snapshot._nodes,
    value: snapshot.value,
    tags: snapshot.tags,
    children: snapshot.children,
    historyValue: snapshot.historyValue,
    matches: snapshot.matches,
    hasTag: snapshot.hasTag,
    can: snapshot.can,
    getMeta: snapshot.getMeta,
    toJSON: snapshot.toJSON,
  };
  return changed as AnyMachineSnapshot;
}

/**
 * Makes the actions of a chart from its changes, under the same names. `copyOf`: how its context is
 * copied before fields change; default: a spread.
 */
export const createChangeActions =
  <Context extends MachineContext, Event extends EventObject, Effect extends ParameterizedObject>(
    copyOf: (context: Context) => Context = (context) => ({ ...context }),
  ) =>
  <Changes extends Record<string, Change<Context, Event, Effect, never>>>(changes: Changes) => {
    const actions = Object.entries(changes).map(([name, change]) => [
      name,
      toChangeAction(change, copyOf),
    ]);
    // `fromEntries` forgets which params belong to which name.
    return Object.fromEntries(actions) as {
      [Name in keyof Changes]: Action<Context, Event, Effect, ParamsOf<Changes[Name]>>;
    };
  };
