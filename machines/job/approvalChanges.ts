import { onJobEvent, type JobChange } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { createLogEffect } from './log.ts';
import { buildVisitPatch } from './rows.ts';
import type { Caller } from '../../src/contract/schema/runner/caller.ts';
import { goTo } from './phaseChanges.ts';
import { toApprovedWord } from '../../src/base/invariants/invariant.ts';
import { recordFacts } from './rules/monitors.ts';
import { findSkippedCheckpoint, approveNewestVisit } from './rules/checkpoints.ts';
import { NO_SIGNALS } from './rules/createJobContext.ts';
import { findPhase } from './rules/phases.ts';

/** The newest visit must be approved first; the planned transition follows the approval. */
function redirectToApprovalPhase(context: JobContext, target: string, reason: string) {
  const phase = context.approvals.at ?? context.phase;
  return {
    phase,
    status: findPhase(context.workflow, phase)?.status ?? context.status,
    signals: { ...NO_SIGNALS, goto: { phase: target, reason } },
  };
}

const recordPhaseApproval = (context: JobContext) =>
  recordFacts(context, [toApprovedWord(context.approvals.at ?? context.phase)]);

/** How the person was authenticated, which events of svc 0.2 do not say, and their name if it is known. */
const readApprover = (event: JobEvent): { by?: Caller; person?: string } =>
  event.type === 'job.resume' ? event : {};

export const approvalChanges = {
  /** Of a person who is no member of a team, only how they were authenticated is known. */
  approve: (context, event) => {
    const { by, person } = readApprover(event);
    return {
      context: {
        approvals: approveNewestVisit(context.approvals),
        ...recordPhaseApproval(context),
      },
      effects: [
        {
          type: 'row.patch',
          params: buildVisitPatch(context, {
            approved_by: by ?? 'developer',
            ...(person === undefined ? {} : { approved_person: person }),
          }),
        },
        createLogEffect(
          context,
          event,
          'approval',
          `phase ${context.phase} approved by ${person ?? 'developer'}${by === undefined ? '' : ` (${by})`}`,
        ),
      ],
    };
  },
  /** By `params.autoApprove`. */
  approveInAdvance: (context, event) => ({
    context: { approvals: approveNewestVisit(context.approvals), ...recordPhaseApproval(context) },
    effects: [
      { type: 'row.patch', params: buildVisitPatch(context, { approved_by: 'autoApprove' }) },
      createLogEffect(
        context,
        event,
        'approval',
        `phase ${context.phase} approved by autoApprove (params.autoApprove)`,
      ),
    ],
  }),
  holdNext: (context) => {
    const { next, phase } = context;
    return {
      context: {
        ...redirectToApprovalPhase(context, next?.phase ?? phase, 'it was on its way'),
        next: null,
        queuedAt: null,
        prompt: next?.prompt ?? null,
      },
    };
  },
  holdWoken: (context) => ({
    context: {
      ...redirectToApprovalPhase(context, context.awaited?.after ?? context.phase, 'await_event'),
      awaited: null,
    },
  }),
  /** Prepares the phase that has to be approved, in place of the visit that was being prepared. */
  goToCheckpoint: onJobEvent(['phase.prepared'], (context, { workflow }) => {
    const { next, ...words } = goTo(findSkippedCheckpoint(context, workflow) ?? context.phase);
    return { context: { ...words, next: next ?? null, workflow, prompt: context.prompt } };
  }),
} satisfies Record<string, JobChange>;
