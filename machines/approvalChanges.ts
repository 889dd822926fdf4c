import { by, type JobChange } from './change.ts';
import type { JobContext } from './jobContext.ts';
import { goTo } from './phaseChanges.ts';
import { withSpec } from './rules/approval.ts';
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

/** Changes around approvals. */
export const approvalChanges = {
  approve: ({ approvals }) => ({ context: { approvals: withApproval(approvals) } }),
  holdNext: (context) => {
    const { next, phase } = context;
    return { context: { ...held(context, next?.phase ?? phase, 'it was on its way'), next: null, prompt: next?.prompt ?? null } };
  },
  holdWoken: (context) => ({
    context: { ...held(context, context.awaited?.after ?? context.phase, 'await_event'), awaited: null },
  }),
  /** The visit that was being prepared makes way for one of the phase that has to be approved. */
  goToCheckpoint: by(['phase.prepared'], (context, { workflow }) => {
    const { next, ...words } = goTo(approvalSkipped(context, workflow) ?? context.phase);
    return { context: { ...words, next: next ?? null, workflow, prompt: context.prompt } };
  }),
  noteSpec: by(['tool.register_sub_run'], ({ approvals }, { name, spec }) => ({
    context: {
      approvals: { ...approvals, subRuns: withSpec(approvals.subRuns, name, spec) },
    },
  })),
} satisfies Record<string, JobChange>;
