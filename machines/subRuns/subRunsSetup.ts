import { setup } from 'xstate';
import { changeActions, effect } from '../kit/actions.ts';
import { commandChanges } from './commandChanges.ts';
import { hinderedChanges } from './hinderedChanges.ts';
import { jobChanges } from './jobChanges.ts';
import type { Effect, SubRunsEffects } from './outcome.ts';
import type { SubRunsContext, SubRunsInput } from './subRunsContext.ts';
import type { SubRunsEvent } from './subRunsEvents.ts';
import { subRunsGuards } from './subRunsGuards.ts';
import { wholeChanges } from './wholeChanges.ts';

const base = setup({
  types: {
    context: {} as SubRunsContext,
    events: {} as SubRunsEvent,
    input: {} as SubRunsInput,
    meta: {} as { waits: string },
  },
  guards: subRunsGuards,
  actions: {
    'subRun.dispatch': effect<SubRunsEffects['subRun.dispatch']>(),
    'subRun.stop': effect<SubRunsEffects['subRun.stop']>(),
    'timer.set': effect<SubRunsEffects['timer.set']>(),
    'timer.cancel': effect<SubRunsEffects['timer.cancel']>(),
    'actor.start': effect<SubRunsEffects['actor.start']>(),
    'actor.send': effect<SubRunsEffects['actor.send']>(),
    'row.put': effect<SubRunsEffects['row.put']>(),
    'row.patch': effect<SubRunsEffects['row.patch']>(),
    'row.drop': effect<SubRunsEffects['row.drop']>(),
    'frame.add': effect<SubRunsEffects['frame.add']>(),
  },
});

const actions = changeActions<SubRunsContext, SubRunsEvent, Effect>();

/** Types, guards, effects and named changes of the dispatcher's chart. */
export const subRunsSetup = base.extend({
  actions: {
    ...actions(wholeChanges),
    ...actions(commandChanges),
    ...actions(jobChanges),
    ...actions(hinderedChanges),
  },
});
