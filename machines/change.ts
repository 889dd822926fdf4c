import type { JobContext } from './jobContext.ts';
import type { EventOf, JobEvent } from './jobEvents.ts';

/** What a step changes of the context. */
export type Patch = Partial<JobContext>;

/** A named change of the context: pure, all of it derived from context and event. */
export type Change = (context: JobContext, event: JobEvent) => Patch;

const isOneOf = <Type extends JobEvent['type']>(event: JobEvent, types: readonly Type[]): event is EventOf<Type> =>
  types.some((type) => type === event.type);

/** A change that reads its event. Used with another event it throws, so that a wrong arrow shows at once. */
export const by =
  <const Type extends JobEvent['type']>(
    types: readonly Type[],
    change: (context: JobContext, event: EventOf<Type>) => Patch,
  ): Change =>
  (context, event) => {
    if (!isOneOf(event, types)) throw new Error(`a change for ${types.join(', ')} was used with ${event.type}`);
    return change(context, event);
  };

/** ISO time of an event. The first step of a job comes before any event; it happens at the job's creation. */
export const isoTime = (context: Pick<JobContext, 'createdAt'>, event: { at?: number }): string =>
  new Date(timeOf(context, event)).toISOString();

/** Epoch ms of an event; see {@link isoTime}. */
export const timeOf = (context: Pick<JobContext, 'createdAt'>, event: { at?: number }): number => event.at ?? context.createdAt;
