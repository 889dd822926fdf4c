import { setup } from 'xstate';
import { createChangeActions, createEffectAction } from '../kit/actions.ts';
import { commandChanges } from './commandChanges.ts';
import { hindranceChanges } from './hindranceChanges.ts';
import { jobChanges } from './jobChanges.ts';
import type { Effect, SubRunsEffects } from './subRunEffects.ts';
import type { SubRunsContext, SubRunsInput } from './subRunsContext.ts';
import type { SubRunsEvent } from './subRunsEvents.ts';
import { subRunsGuards } from './subRunsGuards.ts';
import { campaignChanges } from './campaignChanges.ts';

const base = setup({
  types: {
    context: {} as SubRunsContext,
    events: {} as SubRunsEvent,
    input: {} as SubRunsInput,
    meta: {} as { waits: string },
  },
  guards: subRunsGuards,
  actions: {
    'subRun.dispatch': createEffectAction<SubRunsEffects['subRun.dispatch']>(),
    'subRun.stop': createEffectAction<SubRunsEffects['subRun.stop']>(),
    'timer.set': createEffectAction<SubRunsEffects['timer.set']>(),
    'timer.cancel': createEffectAction<SubRunsEffects['timer.cancel']>(),
    'actor.start': createEffectAction<SubRunsEffects['actor.start']>(),
    'actor.send': createEffectAction<SubRunsEffects['actor.send']>(),
    'row.put': createEffectAction<SubRunsEffects['row.put']>(),
    'row.patch': createEffectAction<SubRunsEffects['row.patch']>(),
    'row.drop': createEffectAction<SubRunsEffects['row.drop']>(),
    'frame.add': createEffectAction<SubRunsEffects['frame.add']>(),
  },
});

const actions = createChangeActions<SubRunsContext, SubRunsEvent, Effect>();

/** Types, guards, effects and named changes of the dispatcher's chart. */
export const subRunsSetup = base.extend({
  actions: {
    ...actions(campaignChanges),
    ...actions(commandChanges),
    ...actions(jobChanges),
    ...actions(hindranceChanges),
  },
});
