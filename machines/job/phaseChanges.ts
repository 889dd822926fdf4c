import type { JobContext, NextStep, SessionStop } from './jobContext.ts';
import type { Setback } from '../../src/base/jobs/stopReasons.ts';
import { assignJobFields, onJobEvent, type JobChange, type Patch } from './change.ts';
import type { EventOf } from './jobEvents.ts';
import { toEventIsoTime } from '../kit/eventTime.ts';
import { buildVisitPatch } from './rows.ts';
import { storeCampaignRow } from './recordChanges.ts';
import type { LeftoverItems } from './ports.ts';
import { openVisitApproval } from './rules/checkpoints.ts';
import { restoreKickoffContent, NO_SIGNALS } from './rules/createJobContext.ts';
import { joinUnread } from './rules/joinUnread.ts';
import { resetLoops } from './rules/loops.ts';
import { recordFacts, mergePreparedTable, mergeSwitchedTable } from './rules/monitors.ts';
import { toPhaseWord } from '../../src/base/invariants/invariant.ts';
import { MAX_SWITCHES, MAX_SWITCH_REASON_CHARS } from './rules/limits.ts';
import { shorten } from '../../src/base/text/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/base/limits/jobLimits.ts';
import { toStopLimit } from './rules/quota.ts';
import {
  isBackwardStep,
  findNextPhase,
  findReadingPhase,
  deriveVisitStatus,
} from './rules/phases.ts';
import { findCurrentWorkItem, countWorkItemLoop } from './rules/workItems.ts';
import { deriveEventWait } from './rules/wakeMatch.ts';

export const goTo = (phase: string, words: Partial<Omit<NextStep, 'phase'>> = {}): Patch => {
  const next = { phase, sameVisit: false, prompt: null, eventKey: null, ...words };
  return { next, prompt: next.prompt, eventKey: next.eventKey };
};

/** Runs the same phase again with what the last kickoff would have said. */
export const goAgain = (
  { phase, prompt, eventKey }: JobContext,
  sameVisit: boolean,
  setback?: Setback,
): Patch => goTo(phase, { sameVisit, prompt, eventKey, ...(setback ? { setback } : {}) });

const carryOn = ({ prompt, eventKey }: JobContext, phase: string): Patch =>
  goTo(phase, { prompt, eventKey });

/** Back to the phase whose agent reads unread items. In another phase the gate restarts at zero. */
export function goToReader(context: JobContext, words: Partial<Omit<NextStep, 'phase'>>): Patch {
  const reader = findReadingPhase(context.workflow, context.phase)?.name ?? context.phase;
  return { ...goTo(reader, words), gateBlocks: reader === context.phase ? context.gateBlocks : 0 };
}

/** Marks what the kickoff could not carry as unread, for the next session. */
const returnLeftoverItems = (
  { inbox, unread }: JobContext,
  leftoverItems: LeftoverItems,
): Patch => ({
  inbox: { ...inbox, drained: leftoverItems.from },
  unread: joinUnread(leftoverItems, unread),
});

/** What is kept of a session's end. Without spreads, for the reason in `startNextVisit`. */
function toSessionStop(event: EventOf<'session.ended'>): SessionStop {
  const { stopReason, error, fault, budget, disk, judge, changed, held } = event;
  const stop: SessionStop = {
    reason: stopReason,
    error: error === null ? null : shorten(error, MAX_KEPT_REASON_CHARS),
  };
  if (stopReason === 'quota') Object.assign(stop, toStopLimit(event));
  if (stopReason === 'error' && fault !== undefined) stop.fault = fault;
  if (budget !== undefined) stop.budget = budget;
  if (disk !== undefined) stop.disk = shorten(disk, MAX_KEPT_REASON_CHARS);
  if (judge !== undefined) stop.judge = judge;
  if (changed !== undefined) stop.changed = changed;
  if (held !== undefined) stop.held = shorten(held.text, MAX_KEPT_REASON_CHARS);
  return stop;
}

const returnGivenWords = (context: JobContext): JobContext => ({
  ...context,
  ...restoreKickoffContent(context),
});

const hasSessionFailed = ({ stop }: JobContext): boolean =>
  stop?.reason === 'error' || stop?.reason === 'limit';

const describeSessionError = ({ stop }: JobContext): string =>
  `the agent ended with an error: ${stop?.error ?? stop?.reason ?? 'unknown'}`;

/** False for a session that was stopped or failed: what it read of its kickoff is unknown. */
const hasSessionEndedItself = ({ stop }: JobContext): boolean =>
  stop?.reason === 'end_turn' || stop?.reason === 'pause_turn';

/**
 * The agent's escalation, with the session's error if it had one. If the session did not end by
 * itself, its kickoff content becomes unread again.
 */
const settleEscalation = (context: JobContext): Partial<JobContext> => {
  const message = context.signals.escalate?.message ?? '';
  const words = hasSessionFailed(context)
    ? `${message} (${describeSessionError(context)})`
    : message;
  return {
    ...(hasSessionEndedItself(context) ? {} : restoreKickoffContent(context)),
    escalationMessage: shorten(words, MAX_KEPT_REASON_CHARS),
  };
};

export const phaseChanges = {
  joinQueue: assignJobFields((context, event) => ({
    queuedAt: event.at ?? context.createdAt,
    stopFor: null,
    pausedFrom: null,
    parked: null,
    ...(event.type === 'job.resume' ? resetLoops(context) : {}),
  })),

  storePrepared: onJobEvent(['phase.prepared'], (context, { workflow, checkout, overlayHash }) => {
    const { id, params, phase, visit, session, approvals, setbacks } = context;
    const status = deriveVisitStatus(workflow, phase, visit);
    const table = mergePreparedTable(context, workflow);
    const fields: Patch = {
      workflow: table,
      approvals: session === 0 ? openVisitApproval(approvals, phase) : approvals,
      status,
      params: checkout
        ? { ...params, repoCheckoutDir: checkout.dir, repoCheckoutAbsDir: checkout.absDir }
        : params,
    };
    if (session === 0)
      Object.assign(fields, recordFacts({ ...context, workflow: table }, [toPhaseWord(phase)]));
    if (setbacks.outages !== undefined) {
      const { outages: _over, ...others } = setbacks;
      fields.setbacks = others;
    }
    return {
      context: fields,
      effects: [
        ...storeCampaignRow({ id, workflow }),
        {
          type: 'row.patch',
          params: buildVisitPatch(context, { overlay_hash: overlayHash, status }),
        },
      ],
    };
  }),

  beginSession: ({ session, inbox, unread, prompt, eventKey }) => ({
    context: {
      session: session + 1,
      given: { inboxFrom: inbox.drained, unread, prompt, eventKey },
      inbox: { arrived: inbox.arrived, drained: inbox.arrived },
      unread: { messages: 0, kinds: [] },
      prompt: null,
      eventKey: null,
      stop: null,
    },
  }),
  storeStop: onJobEvent(['session.ended'], (context, event) => {
    const { judged, visit, admitted } = context;
    const fields: Patch = { stop: toSessionStop(event) };
    if (judged !== undefined && judged.visit !== visit) fields.judged = undefined;
    if (admitted) fields.admitted = false;
    // A session that did not end by itself gives back its whole kickoff, these items included.
    if (event.left && (event.stopReason === 'end_turn' || event.stopReason === 'pause_turn'))
      Object.assign(fields, returnLeftoverItems(context, event.left));
    return { context: fields };
  }),
  takeBack: (context) => ({ context: restoreKickoffContent(context) }),

  failSession: (context) => ({
    context: {
      ...restoreKickoffContent(context),
      escalationMessage: shorten(
        `phase ${context.phase}: ${describeSessionError(context)}`,
        MAX_KEPT_REASON_CHARS,
      ),
    },
  }),
  escalate: (context) => ({ context: settleEscalation(context) }),
  goOnInVisit: (context) => ({
    context: { ...restoreKickoffContent(context), ...goAgain(returnGivenWords(context), true) },
  }),
  awaitEvent: (context) => {
    const { phase, status, signals } = context;
    if (!signals.await) throw new Error('awaitEvent without await_event');
    const { awaited, shown } = deriveEventWait(context, signals.await);
    return {
      context: {
        awaited,
        ...(shown ?? { phase, status }),
        given: null,
        signals: NO_SIGNALS,
        gateBlocks: 0,
      },
    };
  },
  takeNewSession: ({ signals, newSessions }) => ({
    context: {
      prompt: signals.newSession?.prompt ?? null,
      // A requested session is already counted; one after a pause is not.
      newSessions: signals.newSession ? newSessions : newSessions + 1,
      signals: NO_SIGNALS,
      continued: null,
      given: null,
    },
  }),

  takeSwitch: (context, event) => {
    const { signals, workflowPath, phase, approvals, workflowPathHistory } = context;
    if (!signals.switch) throw new Error('takeSwitch without switch_workflow');
    const { toPhase, workflow, reason, by: tool, workflowPath: to } = signals.switch;
    const entry = {
      at: toEventIsoTime(context, event),
      from: workflowPath,
      to,
      fromPhase: phase,
      toPhase,
      reason: shorten(reason, MAX_SWITCH_REASON_CHARS),
      by: tool,
    };
    return {
      context: {
        ...carryOn(context, toPhase),
        workflowPath: to,
        workflow: mergeSwitchedTable(context, workflow),
        approvals: {
          ...approvals,
          // `given` stays: approving the visit that switches also approves what the switch skips.
          at: null,
          approved: to === workflowPath ? approvals.approved : [],
        },
        workflowPathHistory: [...workflowPathHistory, entry].slice(-MAX_SWITCHES),
        gateBlocks: 0,
      },
    };
  },
  takeGoto: (context) => {
    const { signals, workflow, phase, workItems, visitItem } = context;
    const target = signals.goto?.phase ?? phase;
    const current = findCurrentWorkItem({ workItems })?.id;
    const loops =
      current !== undefined && current === visitItem && isBackwardStep(workflow, phase, target);
    return {
      context: {
        ...carryOn(context, target),
        workItems: loops ? countWorkItemLoop(workItems, current) : workItems,
        gateBlocks: 0,
      },
    };
  },
  advance: (context) => ({
    context: {
      ...carryOn(context, findNextPhase(context.workflow, context.phase)?.name ?? context.phase),
      gateBlocks: 0,
    },
  }),
  goToReader: (context) => ({
    context: goToReader(context, { prompt: context.prompt, eventKey: context.eventKey }),
  }),
} satisfies Record<string, JobChange>;
