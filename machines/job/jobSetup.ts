import { setup } from 'xstate';
import { approvalChanges } from './approvalChanges.ts';
import type { JobEffect, JobEffects } from './change.ts';
import type { JobContext, JobInput } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { gateChanges } from './gateChanges.ts';
import { jobGuards } from './guards.ts';
import { changeActions, effect } from '../kit/actions.ts';
import { judgementChanges } from './judgementChanges.ts';
import { lapChanges } from './lapChanges.ts';
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
import { wholeContext } from './wholeContext.ts';

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
    'phase.prepare': effect<JobEffects['phase.prepare']>(),
    'session.open': effect<JobEffects['session.open']>(),
    'phase.judge': effect<JobEffects['phase.judge']>(),
    'session.stop': effect<JobEffects['session.stop']>(),
    'message.offer': effect<JobEffects['message.offer']>(),
    'forge.write': effect<JobEffects['forge.write']>(),
    'timer.set': effect<JobEffects['timer.set']>(),
    'timer.cancel': effect<JobEffects['timer.cancel']>(),
    'actor.start': effect<JobEffects['actor.start']>(),
    'actor.send': effect<JobEffects['actor.send']>(),
    'row.put': effect<JobEffects['row.put']>(),
    'row.patch': effect<JobEffects['row.patch']>(),
    'row.drop': effect<JobEffects['row.drop']>(),
    'frame.add': effect<JobEffects['frame.add']>(),
  },
});

const actions = changeActions<JobContext, JobEvent, JobEffect>(wholeContext);

/**
 * Types, guards, effects and named changes of the job chart; the states are written with its
 * `createStateConfig`.
 */
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
    ...actions(lapChanges),
    ...actions(judgementChanges),
  },
});
