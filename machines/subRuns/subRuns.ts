import {
  buildDispatchTransitions,
  haltedTransitions,
  reopenedTransitions,
} from './campaignTransitions.ts';
import { createSubRunsContext, type SubRunsContext, type SubRunsInput } from './subRunsContext.ts';
import { makeOnFirstUse } from '../../src/base/concurrency/makeOnFirstUse.ts';
import { setup } from 'xstate';
import { createChangeActions, createEffectAction } from '../kit/actions.ts';
import { commandChanges } from './commandChanges.ts';
import { hindranceChanges } from './hindranceChanges.ts';
import { jobChanges } from './jobChanges.ts';
import type { Effect, SubRunsEffects } from './subRunEffects.ts';
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

const subRunsSetup = base.extend({
  actions: {
    ...actions(campaignChanges),
    ...actions(commandChanges),
    ...actions(jobChanges),
    ...actions(hindranceChanges),
  },
});

/** Most eventless steps per event; more would be a cycle. */
const MAX_MICROSTEPS = 20;

const register = { guard: 'specFits', target: 'collecting', actions: 'register' } as const;
const newRound = {
  guard: 'specFits',
  target: 'collecting',
  actions: ['acceptFailures', 'register'],
} as const;
const clear = { target: 'collecting', actions: 'clear' } as const;
const finalize = {
  guard: 'graphFits',
  target: 'finalized',
  reenter: true,
  actions: 'finalize',
} as const;
const finalizeAgain = {
  guard: 'graphFits',
  target: 'finalized',
  actions: ['acceptFailures', 'finalize'],
} as const;
const rerunAfterwards = {
  guard: 'commandFits',
  target: 'reopened',
  actions: ['acceptFailures', 'rerun'],
} as const;

const collecting = subRunsSetup.createStateConfig({
  meta: { waits: 'for the parent to register sub-runs and to finalize them' },
  on: {
    'subRuns.register': { guard: 'specFits', actions: 'register' },
    'subRuns.finalize': finalize,
    'subRuns.clear': { actions: 'clear' },
    'parent.ended': 'closing',
  },
});

const finalized = subRunsSetup.createStateConfig({
  meta: {
    waits: 'for the parent to reach the phase in which it waits; a checkpoint may be in between',
  },
  on: {
    'subRuns.register': register,
    'subRuns.finalize': finalize,
    'subRuns.clear': clear,
    'subRuns.skip': { guard: 'commandFits', actions: 'skip' },
    'subRuns.unskip': { guard: 'commandFits', actions: 'unskip' },
    'subRuns.cancel': { guard: 'commandFits', actions: 'cancel' },
    'parent.parked': 'dispatching',
    'parent.ended': 'closing',
  },
});

const dispatching = subRunsSetup.createStateConfig({
  meta: { waits: 'for the sub-runs in progress to end' },
  entry: 'advance',
  always: [
    { guard: 'settles', target: 'settled' },
    { guard: 'halts', target: 'halted' },
  ],
  on: {
    ...buildDispatchTransitions('dispatching'),
    // The parent waits again after a decision and no longer knows the hindrance.
    'parent.parked': { guard: 'isHindered', actions: 'tellHindered' },
    'parent.paused': 'held',
    'parent.ended': 'closing',
  },
});

const halted = subRunsSetup.createStateConfig({
  meta: {
    waits:
      'for you to rerun, skip or cancel sub-runs: one has failed and the policy is halt-on-failure',
  },
  entry: 'tellHalted',
  exit: 'tellGoOn',
  always: { guard: 'decided', target: 'dispatching' },
  on: {
    ...haltedTransitions,
    // Not via dispatching: the parent would be asked to continue, wait again and report that,
    // forever.
    'parent.parked': { actions: 'tellHalted' },
    'parent.paused': 'held',
    'parent.ended': 'closing',
  },
});

const held = subRunsSetup.createStateConfig({
  meta: {
    waits:
      'for the parent to wait again: it is paused, or one of its phases runs again; what is in progress continues, nothing new begins',
  },
  entry: 'advanceHeld',
  always: { guard: 'settles', target: 'settled' },
  on: {
    ...buildDispatchTransitions('held'),
    'subRuns.register': { guard: 'specFits', actions: 'register' },
    'subRuns.finalize': { guard: 'graphFits', target: 'held', reenter: true, actions: 'finalize' },
    'parent.parked': { target: 'dispatching', actions: 'retryHindered' },
    'parent.ended': 'closing',
  },
});

const settled = subRunsSetup.createStateConfig({
  meta: {
    waits:
      'for nothing: every sub-run has ended and the parent continues; a sub-run can be run again',
  },
  entry: 'tellSettled',
  on: {
    'subRuns.register': newRound,
    'subRuns.finalize': finalizeAgain,
    'subRuns.clear': clear,
    'subRuns.rerun': rerunAfterwards,
    'subRun.reopened': {
      guard: 'endedBefore',
      target: 'reopened',
      actions: ['acceptFailures', 'reopen'],
    },
  },
});

const reopened = subRunsSetup.createStateConfig({
  meta: {
    waits:
      'for the parent to wait for its sub-runs again; a parent that works does so when its session is over',
  },
  entry: 'tellReopened',
  on: {
    ...reopenedTransitions,
    'parent.parked': 'dispatching',
    'parent.ended': 'closing',
    'parent.gone': { target: 'closed', actions: 'skipOpen' },
  },
});

const closing = subRunsSetup.createStateConfig({
  meta: { waits: 'for the jobs of sub-runs to end: the parent is over' },
  entry: 'close',
  always: { guard: 'allEnded', target: 'closed' },
  on: {
    'subRun.prepared': { guard: 'stoppedBefore', actions: 'endUnbegun' },
    'subRun.unprepared': { guard: 'stoppedBefore', actions: 'endUnbegun' },
    'subRun.postponed': { guard: 'stoppedBefore', actions: 'endUnbegun' },
    'subRun.ended': { guard: 'runsNow', actions: 'finish' },
    'effect.givenUp': { guard: 'dispatchGivenUp', actions: 'failUnprepared' },
  },
});

const closed = subRunsSetup.createStateConfig({
  meta: {
    waits: 'for nothing: the parent has ended; a sub-run can be run again unless it was cancelled',
  },
  on: {
    'subRun.ended': { guard: 'runsNow', actions: 'finish' },
    'subRuns.register': newRound,
    'subRuns.finalize': finalizeAgain,
    'subRuns.clear': clear,
    'subRuns.rerun': rerunAfterwards,
  },
});

/**
 * The dispatcher of one coordinating parent, as prose.
 *
 * **collecting** - in it while the parent's agent registers sub-runs; nothing is checked yet but
 * names and room. Leaves: `subRuns.finalize` with a graph that can be finished → finalized; the
 * parent's end → closing.
 *
 * **finalized** - the graph is whole and has no cycle. In it until the parent has reached the phase
 * in which it waits, so that a plan which a person has to approve starts nothing before. Leaves:
 * `parent.parked` → dispatching; another registration → collecting.
 *
 * **dispatching** - in it while sub-runs are in progress. On entry, and again after everything that
 * happens, the loop runs once: the failure policy, the ready set, up to the cap; each that begins
 * asks for `subRun.dispatch`, whose answer starts the job in the same commit that records it.
 * Leaves immediately: every sub-run has ended and no failure waits for a decision → settled; an
 * undecided failure under halt-on-failure → halted, also when nothing else is left: what the parent
 * would do next is something new. Leaves by an event: the parent does not wait any more → held; it ends → closing.
 *
 * The cap is for what the dispatcher begins. A person who lets the job of an ended sub-run continue
 * (`subRun.reopened`) is not asked to wait for room: the job is on its way when the dispatcher
 * hears of it. From then on it counts, so that nothing new begins until fewer than the cap are in
 * progress. The runner's slots still bound how many jobs work at the same instant.
 *
 * **halted** - in it while a failure waits for a person, whether or not the parent is interactive.
 * On entry the parent is notified, so that it shows what can be done, and on exit that the sub-runs
 * continue. What is in progress continues, nothing begins. A person runs the failed sub-run again,
 * skips it (what depends on it continues), or cancels it (it stays failed; what depends on it is
 * skipped). Leaves: no failure is left to decide about → dispatching; the parent does not wait any
 * more → held; it ends → closing.
 *
 * **held** - in it while the parent does not wait: it is paused, or a person has one of its phases
 * run again. What is in progress continues, nothing begins. The phase that runs again may register
 * more and finalizes then. Leaves: the parent waits again → dispatching; every sub-run has ended and
 * no failure waits for a decision → settled; the parent ends → closing.
 *
 * **settled** - every sub-run has ended; a skip can no longer be undone. On entry the parent is notified, once, which resumes it.
 * Leaves: another registration → collecting, a second round, in which failures of the first halt
 * nothing any more; a sub-run is to run again → reopened, with the same rule for the remaining
 * failures.
 *
 * **reopened** - sub-runs are to run again after the campaign has settled, or after its parent has
 * ended. On entry the parent is notified, once; nothing begins before it waits. Leaves:
 * `parent.parked` → dispatching; the parent ends → closing; it cannot wait any more → closed.
 *
 * **closing** - in it when the parent has ended with sub-runs open. On entry those in progress are
 * asked to stop, the others are skipped. Leaves: every sub-run has ended → closed.
 *
 * **closed** - nothing begins and no one is notified. A parent that is run again may register
 * sub-runs again → collecting; a sub-run is to run again → reopened.
 *
 * A sub-run whose job cannot be created now (`subRun.postponed`) is ready, takes no place of the
 * cap, and is tried again by a timer (`subRuns.retry`), or when the parent waits again. The parent is
 * notified of the reason. It is not a failure.
 *
 * A skip can be undone (`subRuns.unskip`) in dispatching, halted, held and reopened, unless a job was
 * stopped for it or something that depends on the sub-run has started.
 *
 * In every state: the job of a sub-run that had failed or escalated was cancelled; the sub-run is
 * failed, with that as its reason.
 */
export const subRunsMachine = makeOnFirstUse(() =>
  subRunsSetup.createMachine({
    id: 'subRuns',
    context: ({ input }) => createSubRunsContext(input),
    options: { maxIterations: MAX_MICROSTEPS },
    initial: 'starting',
    on: { 'subRun.ended': { guard: 'cancelledAfterwards', actions: 'noteCancelled' } },
    states: {
      starting: {
        always: [{ guard: 'graphFits', target: 'finalized' }, { target: 'collecting' }],
      },
      collecting,
      finalized,
      dispatching,
      halted,
      held,
      settled,
      reopened,
      closing,
      closed,
    },
  }),
);
