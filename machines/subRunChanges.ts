import { by, type Change } from './change.ts';
import type { JobContext } from './jobContext.ts';
import { goTo } from './phaseChanges.ts';
import { approvalBeyond } from './rules/checkpoints.ts';
import { parkPhaseOf, settledPrompt } from './rules/coordination.ts';
import { shorten } from './rules/limits.ts';
import { MAX_KEPT_REASON_CHARS } from '../src/domain/jobLimits.ts';
import { NO_SIGNALS } from './rules/contextOf.ts';
import { closedEscalation, park } from './personChanges.ts';
import type { EventOf } from './jobEvents.ts';

const REGISTERED_ONLY =
  'sub-runs are registered, but finalize_sub_runs was not called: a message runs the planning phase again, resume goes on without them';

const resumePhaseOf = ({ workflow, phase }: JobContext): string => workflow.coordinator?.resumePhase ?? phase;

const failuresIn = ({ counts }: EventOf<'subRuns.settled'>): JobContext['subRunFailures'] => ({
  failed: counts.failed,
  escalated: counts.escalated,
});

/** Changes of a job that has sub-runs. */
export const subRunChanges = {
  noteRegistered: ({ signals, workflow }) => ({
    subRuns: 'collecting' as const,
    // What was finalized is open again.
    signals: signals.goto?.phase === parkPhaseOf(workflow) ? { ...signals, goto: null } : signals,
  }),
  /** A checkpoint on the way is met in the order of the workflow; the job waits once it comes to its parkPhase. */
  askSubRuns: (context) => {
    const { signals, workflow, phase, visit } = context;
    const parkPhase = parkPhaseOf(workflow) ?? phase;
    const isFree = approvalBeyond(context, parkPhase) === null;
    return {
      subRuns: 'finalized' as const,
      finalizedIn: visit,
      signals: { ...signals, goto: isFree ? { phase: parkPhase, reason: 'finalize_sub_runs' } : null },
    };
  },
  askConvert: by(['tool.convert_to_workflow'], ({ signals }, { workflowPath, workflow, toPhase, reason, alias }) => ({
    signals: {
      ...signals,
      switch: {
        workflowPath,
        workflow,
        toPhase,
        reason: shorten(reason, MAX_KEPT_REASON_CHARS),
        by: alias ?? ('convert_to_workflow' as const),
      },
    },
  })),

  parkForSubRuns: (context, event) => {
    const { status, workflow, phase } = context;
    return {
      ...park(context, event, 'subRuns', 'waits until every sub-run has ended'),
      phase: parkPhaseOf(workflow) ?? phase,
      status: workflow.coordinator?.parkStatus ?? status,
      signals: NO_SIGNALS,
      awaited: null,
      subRuns: context.subRuns === 'settled' ? ('settled' as const) : ('dispatched' as const),
      given: null,
    };
  },
  parkHalted: by(['subRuns.halted'], (context, event) => ({
    ...park(
      context,
      event,
      'halted',
      `${event.names.join(', ')} did not succeed: rerun, skip or cancel sub-runs, so that the others can go on`,
    ),
  })),
  parkUnfinalized: (context, event) => ({
    ...park(context, event, 'developer', REGISTERED_ONLY),
    status: 'awaiting-developer-input',
    given: null,
  }),
  /** Of a job that does not wait. One that plans anew has other sub-runs by now. */
  noteSettled: by(['subRuns.settled'], ({ subRuns }, event) => ({
    subRunFailures: failuresIn(event),
    ...(subRuns === 'dispatched' || subRuns === 'reopened' ? { subRuns: 'settled' as const, prompt: settledPrompt(event) } : {}),
  })),
  noteReopened: ({ subRuns }) => (subRuns === 'collecting' || subRuns === 'finalized' ? {} : { subRuns: 'reopened' as const }),
  takeBackEnd: (context) => ({ ...closedEscalation(context), subRuns: 'reopened' as const }),
  wakeBySubRuns: by(['subRuns.settled'], (context, event) => ({
    ...goTo(resumePhaseOf(context), { prompt: settledPrompt(event), eventKey: 'sub-runs' }),
    subRuns: 'over' as const,
    subRunFailures: failuresIn(event),
    gateBlocks: 0,
  })),
  /** They had ended before the job could wait for them. */
  goOnSettled: (context) => ({
    ...goTo(resumePhaseOf(context), { prompt: context.prompt, eventKey: 'sub-runs' }),
    subRuns: 'over' as const,
    gateBlocks: 0,
  }),
  pauseForSubRuns: () => ({ pausedFrom: 'subRuns' as const }),
} satisfies Record<string, Change>;
