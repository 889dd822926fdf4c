import type { SubRunsContext } from './subRunsContext.ts';
import type { SubRunsEvent, SubRunsEventOf, SubRunsPorts } from './subRunsEvents.ts';
import type { IntrinsicParams } from '../../src/durable/chart.ts';
import { type Mark, withMarks } from './graph.ts';
import { campaignLine, subRunPatch, type SubRunPatch } from './subRunRows.ts';

/** Every effect of the dispatcher and its params: ports, and what the kernel does itself within the commit. */
export type SubRunsEffects = SubRunsPorts &
  Pick<IntrinsicParams, 'actor.start' | 'actor.send' | 'row.put' | 'row.patch' | 'row.drop' | 'frame.add'>;

export type Effect = { [Name in keyof SubRunsEffects]: { type: Name; params: SubRunsEffects[Name] } }[keyof SubRunsEffects];

/** What a named action of the dispatcher does: a new context, and effects in this order. Pure. */
export interface Outcome {
  context?: Partial<SubRunsContext>;
  effects: Effect[];
}

/** A named action. */
export type SubRunsChange = (context: SubRunsContext, event: SubRunsEvent) => Outcome;

const isOneOf = <Type extends SubRunsEvent['type']>(event: SubRunsEvent, types: readonly Type[]): event is SubRunsEventOf<Type> =>
  types.some((type) => type === event.type);

/** A change that reads its event. Used with another event it throws, so that a wrong arrow shows at once. */
export const by =
  <const Type extends SubRunsEvent['type']>(
    types: readonly Type[],
    change: (context: SubRunsContext, event: SubRunsEventOf<Type>) => Outcome,
  ): SubRunsChange =>
  (context, event) => {
    if (!isOneOf(event, types)) throw new Error(`a change for ${types.join(', ')} was used with ${event.type}`);
    return change(context, event);
  };

/** The first step of an actor comes before any event; it happens at its creation. */
export const timeOf = ({ createdAt }: SubRunsContext, event: { at?: number }): number => event.at ?? createdAt;

export const patch = ({ parentJobId }: SubRunsContext, name: string, set: SubRunPatch): Effect => ({
  type: 'row.patch',
  params: subRunPatch(parentJobId, name, set),
});

export const line = (context: SubRunsContext, event: { at?: number }, text: string): Effect => ({
  type: 'frame.add',
  params: campaignLine(context.parentJobId, timeOf(context, event), text),
});

export const send = (to: string, event: { type: string; [key: string]: unknown }): Effect => ({
  type: 'actor.send',
  params: { to, event },
});

export const positionOf = ({ graph }: SubRunsContext, name: string): number => {
  const n = graph.names.indexOf(name);
  if (n < 0) throw new Error(`there is no sub-run ${name}`);
  return n;
};

/** The context with one sub-run marked anew. */
export const marked = ({ graph }: SubRunsContext, n: number, mark: Mark): Partial<SubRunsContext> => ({
  graph: withMarks(graph, new Map([[n, mark]])),
});
