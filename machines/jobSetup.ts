import { type EventObject, enqueueActions, setup } from 'xstate';
import type { IntrinsicParams } from '../src/durable/chart.ts';
import { approvalChanges } from './approvalChanges.ts';
import type { Change } from './change.ts';
import { timeOf } from './change.ts';
import type { JobContext, JobInput } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { jobGuards } from './jobGuards.ts';
import { logLine, messageRow, supersededPatch, usageFrame, usageRow, visitPatch, visitRow } from './jobRows.ts';
import { messageChanges } from './messageChanges.ts';
import { personChanges } from './personChanges.ts';
import { phaseChanges } from './phaseChanges.ts';
import type { JobPorts } from './ports.ts';
import type { JobOutcome } from '../src/domain/jobOutcomes.ts';
import { approvedInAdvance } from './rules/checkpoints.ts';
import { visitBegun } from './rules/contextOf.ts';
import { referencesOf } from './rules/references.ts';
import { isConversion, parkPhaseOf } from './rules/coordination.ts';
import { subRunChanges } from './subRunChanges.ts';
import { dispatcherId } from './subRuns/subRunsContext.ts';
import { toolChanges } from './toolChanges.ts';

/** Every effect of the job chart and its params: ports, and what the kernel does itself within the commit. */
export type JobEffects = JobPorts &
  Pick<
    IntrinsicParams,
    'timer.set' | 'timer.cancel' | 'actor.start' | 'actor.send' | 'row.put' | 'row.patch' | 'row.drop' | 'frame.add'
  >;

/** An effect is data: the action does nothing, the kernel collects its params. */
const effect =
  <Name extends keyof JobEffects>(_name: Name) =>
  (_args: unknown, _params: JobEffects[Name]): void => {};

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
    'phase.prepare': effect('phase.prepare'),
    'session.open': effect('session.open'),
    'session.stop': effect('session.stop'),
    'message.offer': effect('message.offer'),
    'forge.write': effect('forge.write'),
    'timer.set': effect('timer.set'),
    'timer.cancel': effect('timer.cancel'),
    'actor.start': effect('actor.start'),
    'actor.send': effect('actor.send'),
    'row.put': effect('row.put'),
    'row.patch': effect('row.patch'),
    'row.drop': effect('row.drop'),
    'frame.add': effect('frame.add'),
  },
});

type Effect = { [Name in keyof JobEffects]: { type: Name; params: JobEffects[Name] } }[keyof JobEffects];

/** Changes and effects that depend on the context; xstate cannot infer the types of what is enqueued. */
const several = <Params extends Record<string, unknown> | undefined = undefined>(
  collect: Parameters<typeof enqueueActions<JobContext, JobEvent, Params, JobEvent, never, Effect, never, never, EventObject>>[0],
) => enqueueActions<JobContext, JobEvent, Params, JobEvent, never, Effect, never, never, EventObject>(collect);

type Assign = ReturnType<typeof base.assign>;

const assigns = <Name extends string>(changes: Record<Name, Change>): Record<Name, Assign> => {
  const named = {} as Record<Name, Assign>;
  for (const name in changes) {
    const change = changes[name];
    named[name] = base.assign(({ context, event }) => change(context, event));
  }
  return named;
};

/** Types, guards, effects and named changes of the job chart; the states are written with its `createStateConfig`. */
export const jobSetup = base
  .extend({
    actions: {
      ...assigns(approvalChanges),
      ...assigns(phaseChanges),
      ...assigns(toolChanges),
      ...assigns(personChanges),
      ...assigns(subRunChanges),
      ...assigns(messageChanges),
    },
  })
  .extend({
    actions: {
      beginVisit: several(({ context, event, enqueue }) => {
        const begun = { ...context, ...visitBegun(context) };
        const goesOn = context.next?.sameVisit === true;
        if (!goesOn && approvedInAdvance(context, begun.phase)) {
          const left = context.approvals.at;
          // A visit that was cut off before it was prepared is not the one that is approved.
          if (context.session > 0 || context.phase === left)
            enqueue({ type: 'row.patch', params: visitPatch(context, { approved_by: 'autoApprove' }) });
          enqueue({
            type: 'frame.add',
            params: logLine(context, event, 'approval', `phase ${left} approved by autoApprove (params.autoApprove)`),
          });
        }
        enqueue.assign(begun);
        if (!goesOn) enqueue({ type: 'row.put', params: visitRow(begun, event) });
        enqueue({
          type: 'frame.add',
          params: logLine(begun, event, 'phase', `phase ${begun.phase} ${goesOn ? 'goes on' : 'begins'}`),
        });
      }),
      /** Closes the visit's row once; a visit that is closed already stays as it was. */
      endVisit: several<{ outcome: string }>(({ context, event, enqueue }, { outcome }) => {
        if (!context.visitOpen) return;
        enqueue.assign({ visitOpen: false });
        enqueue({ type: 'row.patch', params: visitPatch(context, { ended_at: timeOf(context, event), outcome }) });
      }),
      /** Sub-runs that are not over when the job is have nobody to come back to. */
      closeSubRuns: several(({ context, enqueue }) => {
        const { id, subRuns } = context;
        if (subRuns === null || subRuns === 'over' || subRuns === 'reopened') return;
        if (subRuns !== 'settled')
          enqueue({ type: 'actor.send', params: { to: dispatcherId(id), event: { type: 'parent.ended' } } });
        // A job that is run again must not wait for those that were closed.
        enqueue.assign({ subRuns: 'over' });
      }),
      /** Only a cancelled job does not wait for what is to run again. */
      closeReopened: several(({ context, enqueue }) => {
        if (context.subRuns !== 'reopened') return;
        enqueue({ type: 'actor.send', params: { to: dispatcherId(context.id), event: { type: 'parent.ended' } } });
        enqueue.assign({ subRuns: 'over' });
      }),
      /** A converted job begins without sub-runs. */
      clearSubRuns: several(({ context, enqueue }) => {
        if (context.subRuns === null || !isConversion(context)) return;
        enqueue({ type: 'actor.send', params: { to: dispatcherId(context.id), event: { type: 'subRuns.clear' } } });
        enqueue.assign({
          subRuns: null,
          finalizedIn: null,
          subRunFailures: { failed: 0, escalated: 0 },
          approvals: { ...context.approvals, subRuns: null },
        });
      }),
      tellDispatcher: several<{ event: 'parent.parked' | 'parent.paused' | 'parent.gone' }>(({ context, enqueue }, { event }) => {
        enqueue({ type: 'actor.send', params: { to: dispatcherId(context.id), event: { type: event } } });
      }),
      /** Tells the parent's dispatcher how its sub-run has ended, or that it continues. */
      notifyParentDispatcher: several<{ outcome: JobOutcome | 'reopened' }>(({ context, enqueue }, { outcome }) => {
        const { subRunOf, escalationMessage } = context;
        if (!subRunOf) return;
        const { parentJobId, name, attempt } = subRunOf;
        const event =
          outcome === 'reopened'
            ? { type: 'subRun.reopened', name, attempt }
            : { type: 'subRun.ended', name, attempt, outcome, message: outcome === 'complete' ? null : escalationMessage };
        enqueue({ type: 'actor.send', params: { to: dispatcherId(parentJobId), event } });
      }),
      /** So that an event of a ticket finds the job without looking at all of them. */
      storeReferences: several(({ context, enqueue }) => {
        for (const reference of referencesOf(context.params))
          enqueue({ type: 'row.put', params: { table: 'job_references', row: { reference, job_id: context.id } } });
      }),
      /** So that jobs with sub-runs are found without looking at all of them, whatever their type. Stays when the workflow changes. */
      storeCoordinator: several(({ context, enqueue }) => {
        if (parkPhaseOf(context.workflow) === null) return;
        enqueue({ type: 'row.put', params: { table: 'campaigns', row: { job_id: context.id } } });
      }),
      /** To be taken after the message was counted. */
      storeMessage: several(({ context, event, enqueue }) => {
        if (event.type !== 'job.message') return;
        enqueue({ type: 'row.put', params: messageRow(context, event) });
        if (event.replaces === undefined) return;
        enqueue({ type: 'row.patch', params: supersededPatch(context, event.replaces, event.id) });
      }),
      recordUsage: several(({ context, event, enqueue }) => {
        if (event.type !== 'session.ended' || event.usage === null) return;
        enqueue({ type: 'row.put', params: usageRow(context, event, event.usage) });
        enqueue({ type: 'frame.add', params: usageFrame(context, event, event.usage) });
      }),
    },
  });
