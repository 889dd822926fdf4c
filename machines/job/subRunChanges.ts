import { onJobEvent, type JobChange, type JobEffect } from './change.ts';
import type { JobContext } from './jobContext.ts';
import { goTo } from './phaseChanges.ts';
import { addSpecToHash } from './rules/approval.ts';
import { findApprovalBeyondVisit } from './rules/checkpoints.ts';
import { isConversion, findParkPhase, buildSettledPrompt } from './rules/coordination.ts';
import { shorten } from '../../src/base/text/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/base/limits/jobLimits.ts';
import { NO_SIGNALS } from './rules/createJobContext.ts';
import { archiveEscalation, createParkRecord } from './personChanges.ts';
import { recordPauseCause } from './unattendedChanges.ts';
import type { EventOf } from './jobEvents.ts';
import { toDispatcherId } from '../subRuns/subRunsContext.ts';
import type { SubRunsEvent } from '../subRuns/subRunsEvents.ts';
import type { JobOutcome } from '../../src/base/jobs/jobOutcomes.ts';

const REGISTERED_ONLY =
  'sub-runs are registered, but finalize_sub_runs was not called: a message runs the planning phase again, resume continues without them';

const WAITS_FOR_ALL = 'waits until every sub-run has ended';

const findResumePhase = ({ workflow, phase }: JobContext): string =>
  workflow.coordinator?.resumePhase ?? phase;

const toSubRunFailures = ({
  counts,
}: EventOf<'subRuns.settled'>): JobContext['subRunFailures'] => ({
  failed: counts.failed,
  escalated: counts.escalated,
});

/** An event without the time that the kernel stamps on it. */
type UnstampedEvent<Event> = Event extends unknown ? Omit<Event, 'at'> : never;

const sendToDispatcher = (parentJobId: string, event: UnstampedEvent<SubRunsEvent>): JobEffect => ({
  type: 'actor.send',
  params: { to: toDispatcherId(parentJobId), event },
});

export const subRunChanges = {
  noteRegistered: onJobEvent(
    ['tool.register_sub_run'],
    ({ signals, workflow, approvals }, { name, spec }) => ({
      context: {
        subRuns: 'collecting',
        // Undoes a finalization of this session.
        signals:
          signals.goto?.phase === findParkPhase(workflow) ? { ...signals, goto: null } : signals,
        approvals: { ...approvals, subRuns: addSpecToHash(approvals.subRuns, name, spec) },
      },
    }),
  ),
  /** Checkpoints are met in workflow order; the job waits once it reaches its parkPhase. */
  askSubRuns: (context) => {
    const { signals, workflow, phase, visit } = context;
    const parkPhase = findParkPhase(workflow) ?? phase;
    const isFree = findApprovalBeyondVisit(context, parkPhase) === null;
    return {
      context: {
        subRuns: 'finalized',
        finalizedIn: visit,
        signals: {
          ...signals,
          goto: isFree ? { phase: parkPhase, reason: 'finalize_sub_runs' } : null,
        },
      },
    };
  },
  askConvert: onJobEvent(
    ['tool.convert_to_workflow'],
    ({ signals }, { workflowPath, workflow, toPhase, reason, alias }) => ({
      context: {
        signals: {
          ...signals,
          switch: {
            workflowPath,
            workflow,
            toPhase,
            reason: shorten(reason, MAX_KEPT_REASON_CHARS),
            by: alias ?? 'convert_to_workflow',
          },
        },
      },
    }),
  ),

  parkForSubRuns: (context, event) => {
    const { status, workflow, phase } = context;
    return {
      context: {
        ...createParkRecord(context, event, 'subRuns', WAITS_FOR_ALL),
        phase: findParkPhase(workflow) ?? phase,
        status: workflow.coordinator?.parkStatus ?? status,
        signals: NO_SIGNALS,
        awaited: null,
        subRuns: context.subRuns === 'settled' ? 'settled' : 'dispatched',
        given: null,
      },
    };
  },
  parkHalted: onJobEvent(['subRuns.halted'], (context, event) => {
    const reason = `${event.names.join(', ')} did not succeed: rerun, skip or cancel sub-runs, so that the others can continue`;
    const { parked } = createParkRecord(context, event, 'halted', reason);
    // Another failure during a halt keeps the time of the first.
    const since = context.parked?.kind === 'halted' ? context.parked.since : parked.since;
    return { context: { parked: { ...parked, since } } };
  }),
  /** Keeps the start of the wait. */
  noteHindered: onJobEvent(['subRuns.hindered'], (context, event) => {
    const { message, needsPerson } = event;
    const text = message === null ? WAITS_FOR_ALL : `${WAITS_FOR_ALL}; ${message}`;
    const { parked } = createParkRecord(context, event, 'subRuns', text);
    return {
      context: {
        parked: {
          ...parked,
          since: context.parked?.since ?? parked.since,
          ...(needsPerson ? { needsPerson: true as const } : {}),
        },
      },
    };
  }),
  parkUnfinalized: (context, event) => ({
    context: {
      ...createParkRecord(context, event, 'developer', REGISTERED_ONLY),
      status: 'awaiting-developer-input',
      given: null,
    },
  }),
  /** For a job that does not wait. If it plans again, its sub-runs have changed. */
  noteSettled: onJobEvent(['subRuns.settled'], ({ subRuns }, event) => ({
    context: {
      subRunFailures: toSubRunFailures(event),
      ...(subRuns === 'dispatched' || subRuns === 'reopened'
        ? { subRuns: 'settled', prompt: buildSettledPrompt(event) }
        : {}),
    },
  })),
  noteReopened: ({ subRuns }) => ({
    context: subRuns === 'collecting' || subRuns === 'finalized' ? {} : { subRuns: 'reopened' },
  }),
  takeBackEnd: (context) => ({ context: { ...archiveEscalation(context), subRuns: 'reopened' } }),
  wakeBySubRuns: onJobEvent(['subRuns.settled'], (context, event) => ({
    context: {
      ...goTo(findResumePhase(context), {
        prompt: buildSettledPrompt(event),
        eventKey: 'sub-runs',
      }),
      subRuns: 'over',
      subRunFailures: toSubRunFailures(event),
      gateBlocks: 0,
    },
  })),
  /** The sub-runs ended before the job could wait for them. */
  goOnSettled: (context) => ({
    context: {
      ...goTo(findResumePhase(context), { prompt: context.prompt, eventKey: 'sub-runs' }),
      subRuns: 'over',
      gateBlocks: 0,
    },
  }),
  pauseForSubRuns: (context, event) => ({
    context: { ...recordPauseCause(context, event), pausedFrom: 'subRuns' },
  }),

  /** Closes sub-runs that would outlive the job: they would have no parent to report to. */
  closeSubRuns: ({ id, subRuns }) => {
    if (subRuns === null || subRuns === 'over' || subRuns === 'reopened') return {};
    return {
      // A rerun job must not wait for closed sub-runs.
      context: { subRuns: 'over' },
      effects: subRuns === 'settled' ? [] : [sendToDispatcher(id, { type: 'parent.ended' })],
    };
  },
  /** Only a cancelled job does not wait for reopened sub-runs. */
  closeReopened: ({ id, subRuns }) =>
    subRuns === 'reopened'
      ? { context: { subRuns: 'over' }, effects: [sendToDispatcher(id, { type: 'parent.ended' })] }
      : {},
  /** A converted job begins without sub-runs. */
  clearSubRuns: (context) =>
    context.subRuns === null || !isConversion(context)
      ? {}
      : {
          context: {
            subRuns: null,
            finalizedIn: null,
            subRunFailures: { failed: 0, escalated: 0 },
            approvals: { ...context.approvals, subRuns: null },
          },
          effects: [sendToDispatcher(context.id, { type: 'subRuns.clear' })],
        },
  tellDispatcher: (
    { id },
    _event,
    { event }: { event: 'parent.parked' | 'parent.paused' | 'parent.gone' },
  ) => ({
    effects: [sendToDispatcher(id, { type: event })],
  }),
  /** Tells the parent's dispatcher that its sub-run has ended or continues. */
  notifyParentDispatcher: (
    { subRunOf, escalationMessage },
    _event,
    { outcome }: { outcome: JobOutcome | 'reopened' },
  ) => {
    if (!subRunOf) return {};
    const { parentJobId, name, attempt } = subRunOf;
    const report =
      outcome === 'reopened'
        ? sendToDispatcher(parentJobId, { type: 'subRun.reopened', name, attempt })
        : sendToDispatcher(parentJobId, {
            type: 'subRun.ended',
            name,
            attempt,
            outcome,
            message: outcome === 'complete' ? null : escalationMessage,
          });
    return { effects: [report] };
  },
} satisfies Record<string, JobChange<never>>;
