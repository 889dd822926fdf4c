/** An effect is data: its name and its params. `Effects` names the params of each. */
export type EffectOf<Effects> = {
  [Name in keyof Effects]: { type: Name; params: Effects[Name] };
}[keyof Effects];

/** What a change does to the actor and asks for. */
export interface Outcome<Context, Effect> {
  /**
   * Fields with their new values. Left out = the context stays; `{}` = the event is taken, though
   * nothing changes.
   */
  context?: Partial<Context>;
  /** In the order in which the step has them. Default: none. */
  effects?: readonly Effect[];
}

/**
 * A named action of a durable chart. Pure: everything is derived from the context and the event,
 * and from the params that the transition gives it.
 */
export type Change<Context, Event, Effect, Params = undefined> = (
  context: Context,
  event: Event,
  params: Params,
) => Outcome<Context, Effect>;

interface TypedEvent {
  type: string;
}

const hasOneOfTypes = <Event extends TypedEvent, Type extends Event['type']>(
  event: Event,
  types: readonly Type[],
): event is Extract<Event, { type: Type }> => types.some((type) => type === event.type);

/**
 * Makes the `by` of a chart: a change that reads its event. Used with another event it throws, so
 * that a wrong transition shows at once.
 */
export const createEventChangeBuilder =
  <Context, Event extends TypedEvent, Effect>() =>
  <const Type extends Event['type']>(
    types: readonly Type[],
    change: (context: Context, event: Extract<Event, { type: Type }>) => Outcome<Context, Effect>,
  ): Change<Context, Event, Effect> =>
  (context, event) => {
    if (!hasOneOfTypes(event, types))
      throw new Error(`a change for ${types.join(', ')} was used with ${event.type}`);
    return change(context, event);
  };
