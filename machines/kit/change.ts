/** An effect as data: name and params. `Effects` maps each name to its params. */
export type EffectOf<Effects> = {
  [Name in keyof Effects]: { type: Name; params: Effects[Name] };
}[keyof Effects];

export interface Outcome<Context, Effect> {
  /** New field values. Left out = unchanged; `{}` = the event is accepted without a change. */
  context?: Partial<Context>;
  /** In order. Default: none. */
  effects?: readonly Effect[];
}

/** A named action. Pure: derived only from context, event and the transition's params. */
export type Change<Context, Event, Effect, Params = undefined> = (
  context: Context,
  event: Event,
  params: Params,
) => Outcome<Context, Effect>;

/** The part of a change that gives new field values. */
type Assign<Context, Event> = (context: Context, event: Event) => Partial<Context>;

/** A change without effects; {@link Change} is how others call it. */
export interface FieldChange<Context, Event> {
  (context: Context, event: Event): { context: Partial<Context> };
  assign: Assign<Context, Event>;
}

/** Makes a chart's builder of changes without effects: XState needs half the work for them. */
export const createFieldChangeBuilder =
  <Context, Event>() =>
  (assign: Assign<Context, Event>): FieldChange<Context, Event> =>
    Object.assign((context: Context, event: Event) => ({ context: assign(context, event) }), {
      assign,
    });

/** The same for changes that read their event; as {@link createEventChangeBuilder}. */
export const createEventFieldChangeBuilder =
  <Context, Event extends TypedEvent>() =>
  <const Type extends Event['type']>(
    types: readonly Type[],
    assign: (context: Context, event: Extract<Event, { type: Type }>) => Partial<Context>,
  ): FieldChange<Context, Event> =>
    createFieldChangeBuilder<Context, Event>()((context, event) =>
      assign(context, requireEventType(event, types)),
    );

interface TypedEvent {
  type: string;
}

const hasOneOfTypes = <Event extends TypedEvent, Type extends Event['type']>(
  event: Event,
  types: readonly Type[],
): event is Extract<Event, { type: Type }> => types.some((type) => type === event.type);

function requireEventType<Event extends TypedEvent, Type extends Event['type']>(
  event: Event,
  types: readonly Type[],
): Extract<Event, { type: Type }> {
  if (hasOneOfTypes(event, types)) return event;
  throw new Error(`a change for ${types.join(', ')} was used with ${event.type}`);
}

/**
 * Makes a chart's builder of changes that read their event. Throws for another event, so that a
 * wrong transition shows at once.
 */
export const createEventChangeBuilder =
  <Context, Event extends TypedEvent, Effect>() =>
  <const Type extends Event['type']>(
    types: readonly Type[],
    change: (context: Context, event: Extract<Event, { type: Type }>) => Outcome<Context, Effect>,
  ): Change<Context, Event, Effect> =>
  (context, event) =>
    change(context, requireEventType(event, types));
