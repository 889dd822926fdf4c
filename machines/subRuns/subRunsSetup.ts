import { type EventObject, enqueueActions, setup } from 'xstate';
import { commandChanges } from './commandChanges.ts';
import { jobChanges } from './jobChanges.ts';
import type { Effect, SubRunsChange, SubRunsEffects } from './outcome.ts';
import type { SubRunsContext, SubRunsInput } from './subRunsContext.ts';
import type { SubRunsEvent } from './subRunsEvents.ts';
import { subRunsGuards } from './subRunsGuards.ts';
import { wholeChanges } from './wholeChanges.ts';

/** An effect is data: the action does nothing, the kernel collects its params. */
const effect =
  <Name extends keyof SubRunsEffects>(_name: Name) =>
  (_args: unknown, _params: SubRunsEffects[Name]): void => {};

const base = setup({
  types: {
    context: {} as SubRunsContext,
    events: {} as SubRunsEvent,
    input: {} as SubRunsInput,
    meta: {} as { waits: string },
  },
  guards: subRunsGuards,
  actions: {
    'subRun.dispatch': effect('subRun.dispatch'),
    'subRun.stop': effect('subRun.stop'),
    'actor.start': effect('actor.start'),
    'actor.send': effect('actor.send'),
    'row.put': effect('row.put'),
    'row.patch': effect('row.patch'),
    'row.drop': effect('row.drop'),
    'frame.add': effect('frame.add'),
  },
});

const enqueued = (change: SubRunsChange) =>
  enqueueActions<SubRunsContext, SubRunsEvent, undefined, SubRunsEvent, never, Effect, never, never, EventObject>(
    ({ context, event, enqueue }) => {
      const outcome = change(context, event);
      if (outcome.context) enqueue.assign(outcome.context);
      for (const asked of outcome.effects) enqueue(asked);
    },
  );

const actionsOf = <Name extends string>(changes: Record<Name, SubRunsChange>) => {
  const named = {} as Record<Name, ReturnType<typeof enqueued>>;
  for (const name in changes) named[name] = enqueued(changes[name]);
  return named;
};

/** Types, guards, effects and named changes of the dispatcher's chart. */
export const subRunsSetup = base.extend({
  actions: { ...actionsOf(wholeChanges), ...actionsOf(commandChanges), ...actionsOf(jobChanges) },
});
