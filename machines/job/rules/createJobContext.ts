import type { JobContext, JobInput, Signals } from '../jobContext.ts';
import type { SessionContinuation } from '../sessionContinuation.ts';
import type { Setback } from '../../../src/base/jobs/stopReasons.ts';
import { joinUnread } from './joinUnread.ts';
import { isApprovedInAdvance, NO_APPROVALS, approveNewestVisit } from './checkpoints.ts';
import { findCurrentWorkItem } from './workItems.ts';
import { beginVisitProgress } from './loops.ts';
import { findPhase, deriveVisitStatus } from './phases.ts';

export const NO_SIGNALS: Signals = {
  escalate: null,
  await: null,
  switch: null,
  goto: null,
  newSession: null,
};

export const NO_SETBACKS: JobContext['setbacks'] = { deaths: 0, quotas: 0 };

export const createJobContext = ({
  beginsIn,
  subRunOf,
  specs,
  ...input
}: JobInput): JobContext => ({
  id: input.id,
  type: input.type,
  tenantId: input.tenantId,
  workflowPath: input.workflowPath,
  params: input.params,
  interactive: input.interactive,
  limits: input.limits,
  workflow: input.workflow,
  phase: beginsIn ?? input.workflow.initial_phase,
  status:
    beginsIn === undefined
      ? input.workflow.initial_status
      : deriveVisitStatus(input.workflow, beginsIn, 1),
  visit: 0,
  session: 0,
  newSessions: 0,
  visitOpen: false,
  visitItem: null,
  workItems: [],
  prs: [],
  inbox: { arrived: 0, drained: 0 },
  unread: { messages: 0, kinds: [] },
  signals: NO_SIGNALS,
  stop: null,
  continued: null,
  setbacks: NO_SETBACKS,
  given: null,
  awaited: null,
  shown: null,
  approvals: { ...NO_APPROVALS, subRuns: specs ?? null },
  next: {
    phase: beginsIn ?? input.workflow.initial_phase,
    sameVisit: false,
    prompt: null,
    eventKey: null,
  },
  stopFor: null,
  pausedFrom: null,
  gateBlocks: 0,
  prompt: null,
  eventKey: null,
  parked: null,
  escalationMessage: null,
  escalationHistory: [],
  workflowPathHistory: [],
  subRunOf: subRunOf ?? null,
  subRuns: beginsIn === undefined ? null : 'finalized',
  finalizedIn: null,
  subRunFailures: { failed: 0, escalated: 0 },
  writes: [],
  createdAt: input.createdAt,
  queuedAt: input.createdAt,
});

/** The context after the visit of `next` has started or continued. */
export function startNextVisit(context: JobContext): Partial<JobContext> {
  const { next, workflow } = context;
  if (!next) throw new Error(`job ${context.id}: a phase starts but is not specified`);
  if (next.sameVisit)
    return {
      next: null,
      queuedAt: null,
      prompt: next.prompt,
      eventKey: next.eventKey,
      stopFor: null,
      pausedFrom: null,
      stop: null,
      continued: deriveContinuation(context, next.setback),
    };
  // No spread: after one in the middle, V8 adds the other fields as to a dictionary, which takes as
  // long as the rest of the step.
  const visit = context.visit + 1;
  const fields: Partial<JobContext> = {
    next: null,
    queuedAt: null,
    prompt: next.prompt,
    eventKey: next.eventKey,
    stopFor: null,
    pausedFrom: null,
    stop: null,
    visit,
    session: 0,
    newSessions: 0,
    visitOpen: true,
    visitItem: findCurrentWorkItem(context)?.id ?? null,
    phase: next.phase,
    status: deriveVisitStatus(workflow, next.phase, visit),
    signals: NO_SIGNALS,
    continued: null,
    setbacks: NO_SETBACKS,
    given: null,
    awaited: null,
    approvals: isApprovedInAdvance(context, next.phase)
      ? approveNewestVisit(context.approvals)
      : context.approvals,
    // A phase without agent posts nothing: its checkpoint asks about what the phase before it
    // showed.
    shown: findPhase(workflow, next.phase)?.agent === null ? context.shown : null,
  };
  return Object.assign(fields, beginVisitProgress(context.progress, next.wokenBy));
}

/**
 * What the visit's next session continues. After a quota, budget or low disk no call is in doubt,
 * so it numbers its calls itself.
 */
function deriveContinuation(
  { session, continued }: JobContext,
  setback: Setback | undefined,
): SessionContinuation | null {
  if (setback === undefined || session === 0) return null;
  const calls = setback === 'died' ? (continued?.calls ?? session) : session + 1;
  return { first: continued?.first ?? session, calls, why: setback };
}

/** The context after a session was cut short: the next one gets the same kickoff content again. */
export function restoreKickoffContent({ given, inbox, unread }: JobContext): Partial<JobContext> {
  if (!given) return {};
  return {
    given: null,
    inbox: { arrived: inbox.arrived, drained: given.inboxFrom },
    unread: joinUnread(given.unread, unread),
    prompt: given.prompt,
    eventKey: given.eventKey,
  };
}
