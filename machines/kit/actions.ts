import {
  type ActionFunction,
  assign,
  enqueueActions,
  type EventObject,
  type MachineContext,
  type ParameterizedObject,
} from 'xstate';
import type { Change, FieldChange } from './change.ts';

/** An effect's action does nothing: the kernel collects its params. */
export const createEffectAction =
  <Params>() =>
  (_args: unknown, _params: Params): void => {};

type Action<
  Context extends MachineContext,
  Event extends EventObject,
  Effect extends ParameterizedObject,
  Params extends ParameterizedObject['params'] | undefined,
> = ActionFunction<Context, Event, Event, Params, never, Effect, never, never, EventObject>;

/** The params that a change takes from its transition; undefined = none. */
type ParamsOf<Named> = Named extends (context: never, event: never, params: infer Params) => unknown
  ? Params extends ParameterizedObject['params']
    ? Params
    : undefined
  : never;

/** A change as an XState action: assigns its fields, then asks for its effects. */
const toChangeAction = <
  Context extends MachineContext,
  Event extends EventObject,
  Effect extends ParameterizedObject,
  Params extends ParameterizedObject['params'] | undefined,
>(
  change: Change<Context, Event, Effect, Params> | FieldChange<Context, Event>,
): Action<Context, Event, ParameterizedObject, Params> => {
  if ('assign' in change) return assign(({ context, event }) => change.assign(context, event));
  return enqueueActions(({ context, event, enqueue }, params) => {
    const { context: fields, effects = [] } = change(context, event, params);
    if (fields) enqueue.assign(fields);
    for (const effect of effects) enqueue(effect);
  });
};

/** Makes a chart's actions from its changes, under the same names. */
export const createChangeActions =
  <
    Context extends MachineContext,
    Event extends EventObject,
    Effect extends ParameterizedObject,
  >() =>
  <Changes extends Record<string, Change<Context, Event, Effect, never>>>(changes: Changes) => {
    const actions = Object.entries(changes).map(([name, change]) => [name, toChangeAction(change)]);
    // `fromEntries` loses which params belong to which name.
    return Object.fromEntries(actions) as {
      [Name in keyof Changes]: Action<Context, Event, Effect, ParamsOf<Changes[Name]>>;
    };
  };
