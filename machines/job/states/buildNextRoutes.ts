import { endVisit, writeLogLine } from '../log.ts';

/** The agent's reason after a colon; empty without one. */
const formatSignalReason = (signal: { reason?: string } | null | undefined): string =>
  signal?.reason?.trim() ? `: ${signal.reason}` : '';

const logSwitch = (verb: string) =>
  writeLogLine(
    'workflow',
    ({ signals }) =>
      `${verb} to ${signals.switch?.workflowPath}, phase ${signals.switch?.toPhase}${formatSignalReason(signals.switch)}`,
  );

/**
 * What follows a finished phase: the agent's signal, else the next phase, else the completion gate.
 * `goOn` is where the next visit begins: at once with a slot, queued from a parked state.
 */
export const buildNextRoutes = <const Target extends string>(goOn: Target) =>
  [
    { guard: 'waitsAgainAfterwards', target: '#job.parked.subRuns', actions: endVisit('sub-runs') },
    {
      guard: 'convertAsked',
      target: goOn,
      actions: [
        endVisit('convert_to_workflow'),
        logSwitch('convert'),
        'clearSubRuns',
        'takeSwitch',
        'storeCoordinator',
      ],
    },
    {
      guard: 'switchAsked',
      target: goOn,
      actions: [endVisit('switch_workflow'), logSwitch('switch'), 'takeSwitch'],
    },
    {
      guard: 'gotoAsked',
      target: goOn,
      actions: [
        endVisit('goto'),
        writeLogLine(
          'phase',
          ({ signals }) => `goto_phase ${signals.goto?.phase}${formatSignalReason(signals.goto)}`,
        ),
        'takeGoto',
      ],
    },
    { guard: 'subRunsOver', target: goOn, actions: [endVisit('advanced'), 'goOnSettled'] },
    { guard: 'phaseFollows', target: goOn, actions: [endVisit('advanced'), 'advance'] },
    {
      guard: 'messageUnread',
      target: goOn,
      actions: [
        endVisit('message'),
        writeLogLine(
          'message',
          'a message is unread: the job runs another round before it completes',
        ),
        'goToReader',
      ],
    },
    { guard: 'gatePasses', target: '#job.ended.complete', actions: 'noteComplete' },
    {
      guard: 'gateFails',
      target: '#job.ended.failed',
      actions: 'failGate',
    },
    {
      target: goOn,
      actions: [endVisit('completion-gate'), 'blockCompletion'],
    },
  ] as const;
