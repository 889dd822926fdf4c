import {
  type ActionFunction,
  type EventObject,
  enqueueActions,
  type MachineContext,
  type ParameterizedObject,
} from 'xstate';
import type { Change } from './change.ts';

/** The action of an effect does nothing: the kernel collects its params. */
export const effect =
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

const actionOf = <
  Context extends MachineContext,
  Event extends EventObject,
  Effect extends ParameterizedObject,
  Params extends ParameterizedObject['params'] | undefined,
>(
  change: Change<Context, Event, Effect, Params>,
): Action<Context, Event, Effect, Params> =>
  enqueueActions<Context, Event, Params, Event, never, Effect, never, never, EventObject>(
    ({ context, event, enqueue }, params) => {
      const { context: fields, effects } = change(context, event, params);
      if (fields) enqueue.assign(fields);
      // The compiler cannot tell that every effect is an action while it does not know which
      // effects there are.
      if (effects) for (const one of effects) enqueue(one as Parameters<typeof enqueue>[0]);
    },
  );

/** Makes the actions of a chart from its changes, under the same names. */
export const changeActions =
  <
    Context extends MachineContext,
    Event extends EventObject,
    Effect extends ParameterizedObject,
  >() =>
  <Changes extends Record<string, Change<Context, Event, Effect, never>>>(changes: Changes) => {
    const actions = Object.entries(changes).map(([name, change]) => [name, actionOf(change)]);
    // `fromEntries` forgets which params belong to which name.
    return Object.fromEntries(actions) as {
      [Name in keyof Changes]: Action<Context, Event, Effect, ParamsOf<Changes[Name]>>;
    };
  };
