import { by, type JobChange } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { line } from './log.ts';
import { visitPatch } from './rows.ts';
import type { Caller } from '../../src/schema/caller.ts';
import { goTo } from './phaseChanges.ts';
import { approvedWord } from '../../src/domain/invariants/invariant.ts';
import { happened } from './rules/monitors.ts';
import { approvalSkipped, withApproval } from './rules/checkpoints.ts';
import { NO_SIGNALS } from './rules/contextOf.ts';
import { phaseNamed } from './rules/phases.ts';

/** The phase of the newest visit waits for approval; the transition that was to come follows it. */
function held(context: JobContext, target: string, reason: string) {
  const phase = context.approvals.at ?? context.phase;
  return {
    phase,
    status: phaseNamed(context.workflow, phase)?.status ?? context.status,
    signals: { ...NO_SIGNALS, goto: { phase: target, reason } },
  };
}

/** The approval of the newest visit, in the words of rules. */
const phaseApproved = (context: JobContext) =>
  happened(context, [approvedWord(context.approvals.at ?? context.phase)]);

/** How the person came in; events of svc 0.2 do not say it. */
const callerOf = (event: JobEvent): Caller | undefined =>
  event.type === 'job.resume' ? event.by : undefined;

/** Changes around approvals. */
export const approvalChanges = {
  /**
   * The row of the visit records how the user was authenticated; nothing more is known about them.
   */
  approve: (context, event) => {
    const by = callerOf(event);
    return {
      context: { approvals: withApproval(context.approvals), ...phaseApproved(context) },
      effects: [
        { type: 'row.patch', params: visitPatch(context, { approved_by: by ?? 'developer' }) },
        line(
          context,
          event,
          'approval',
          `phase ${context.phase} approved by developer${by === undefined ? '' : ` (${by})`}`,
        ),
      ],
    };
  },
  /** By `params.autoApprove`. */
  approveInAdvance: (context, event) => ({
    context: { approvals: withApproval(context.approvals), ...phaseApproved(context) },
    effects: [
      { type: 'row.patch', params: visitPatch(context, { approved_by: 'autoApprove' }) },
      line(
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
        ...held(context, next?.phase ?? phase, 'it was on its way'),
        next: null,
        prompt: next?.prompt ?? null,
      },
    };
  },
  holdWoken: (context) => ({
    context: {
      ...held(context, context.awaited?.after ?? context.phase, 'await_event'),
      awaited: null,
    },
  }),
  /** The visit that was being prepared is replaced by one of the phase that has to be approved. */
  goToCheckpoint: by(['phase.prepared'], (context, { workflow }) => {
    const { next, ...words } = goTo(approvalSkipped(context, workflow) ?? context.phase);
    return { context: { ...words, next: next ?? null, workflow, prompt: context.prompt } };
  }),
} satisfies Record<string, JobChange>;
