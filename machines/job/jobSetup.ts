import { setup } from 'xstate';
import { approvalChanges } from './approvalChanges.ts';
import type { JobEffect, JobEffects } from './change.ts';
import type { JobContext, JobInput } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { gateChanges } from './gateChanges.ts';
import { jobGuards } from './guards.ts';
import { createChangeActions, createEffectAction } from '../kit/actions.ts';
import { ratingChanges } from './ratingChanges.ts';
import { loopChanges } from './loopChanges.ts';
import { messageChanges } from './messageChanges.ts';
import { personChanges } from './personChanges.ts';
import { phaseChanges } from './phaseChanges.ts';
import { prChanges } from './prChanges.ts';
import { recordChanges } from './recordChanges.ts';
import { repairChanges } from './repairChanges.ts';
import { setbackChanges } from './setbackChanges.ts';
import { subRunChanges } from './subRunChanges.ts';
import { toolChanges } from './toolChanges.ts';
import { unattendedChanges } from './unattendedChanges.ts';
import { visitChanges } from './visitChanges.ts';

const base = setup({
  types: {
    context: {} as JobContext,
    events: {} as JobEvent,
    input: {} as JobInput,
    tags: {} as 'slot',
    meta: {} as { waits: string },
  },
  guards: jobGuards,
  actions: {
    'phase.prepare': createEffectAction<JobEffects['phase.prepare']>(),
    'session.open': createEffectAction<JobEffects['session.open']>(),
    'phase.judge': createEffectAction<JobEffects['phase.judge']>(),
    'session.stop': createEffectAction<JobEffects['session.stop']>(),
    'message.offer': createEffectAction<JobEffects['message.offer']>(),
    'forge.write': createEffectAction<JobEffects['forge.write']>(),
    'timer.set': createEffectAction<JobEffects['timer.set']>(),
    'timer.cancel': createEffectAction<JobEffects['timer.cancel']>(),
    'actor.start': createEffectAction<JobEffects['actor.start']>(),
    'actor.send': createEffectAction<JobEffects['actor.send']>(),
    'row.put': createEffectAction<JobEffects['row.put']>(),
    'row.patch': createEffectAction<JobEffects['row.patch']>(),
    'row.drop': createEffectAction<JobEffects['row.drop']>(),
    'frame.add': createEffectAction<JobEffects['frame.add']>(),
  },
});

const actions = createChangeActions<JobContext, JobEvent, JobEffect>();

/** Types, guards, effects and named changes; states use its `createStateConfig`. */
export const jobSetup = base.extend({
  actions: {
    ...actions(approvalChanges),
    ...actions(phaseChanges),
    ...actions(gateChanges),
    ...actions(visitChanges),
    ...actions(toolChanges),
    ...actions(personChanges),
    ...actions(prChanges),
    ...actions(setbackChanges),
    ...actions(repairChanges),
    ...actions(unattendedChanges),
    ...actions(subRunChanges),
    ...actions(messageChanges),
    ...actions(recordChanges),
    ...actions(loopChanges),
    ...actions(ratingChanges),
  },
});
