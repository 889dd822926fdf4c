import { by, type Change } from './change.ts';
import type { JobContext } from './jobContext.ts';
import { goTo } from './phaseChanges.ts';
import { parkPhaseOf, settledPrompt } from './rules/coordination.ts';
import { MAX_REASON_CHARS, shorten } from './rules/limits.ts';
import { park } from './personChanges.ts';

const REGISTERED_ONLY =
  'sub-runs are registered, but finalize_sub_runs was never called: a message runs the planning phase again, resume goes on without them';

const resumePhaseOf = ({ workflow, phase }: JobContext): string => workflow.coordinator?.resumePhase ?? phase;

/** Changes of a job that has sub-runs. */
export const subRunChanges = {
  noteRegistered: ({ signals, workflow }) => ({
    subRuns: 'collecting' as const,
    // What was finalized is open again.
    signals: signals.goto?.phase === parkPhaseOf(workflow) ? { ...signals, goto: null } : signals,
  }),
  askSubRuns: ({ signals, workflow, phase }) => ({
    subRuns: 'finalized' as const,
    signals: { ...signals, goto: { phase: parkPhaseOf(workflow) ?? phase, reason: 'finalize_sub_runs' } },
  }),
  askConvert: by(['tool.convert_to_workflow'], ({ signals }, { workflowPath, workflow, toPhase, reason }) => ({
    signals: {
      ...signals,
      switch: { workflowPath, workflow, toPhase, reason: shorten(reason, MAX_REASON_CHARS), by: 'convert_to_workflow' },
    },
  })),

  parkForSubRuns: (context, event) => {
    const { status, workflow } = context;
    return {
      ...park(context, event, 'subRuns', 'waits until every sub-run has ended'),
      status: workflow.coordinator?.parkStatus ?? status,
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
  noteSettled: by(['subRuns.settled'], (_context, event) => ({ subRuns: 'settled' as const, prompt: settledPrompt(event) })),
  wakeBySubRuns: by(['subRuns.settled'], (context, event) => ({
    ...goTo(resumePhaseOf(context), { prompt: settledPrompt(event), eventKey: 'sub-runs' }),
    subRuns: 'settled' as const,
    gateBlocks: 0,
  })),
  /** They had ended before the job could wait for them. */
  goOnSettled: (context) => ({
    ...goTo(resumePhaseOf(context), { prompt: context.prompt, eventKey: 'sub-runs' }),
    gateBlocks: 0,
  }),
  pauseForSubRuns: () => ({ pausedFrom: 'subRuns' as const }),
} satisfies Record<string, Change>;
