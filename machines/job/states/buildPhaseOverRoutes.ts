import { endVisit, writeLogLine } from '../log.ts';
import { describeEventWait } from '../rules/describeEventWait.ts';
import { deriveEventWait } from '../rules/wakeMatch.ts';

const logEventWait = writeLogLine('parked', (context) =>
  context.signals.await
    ? describeEventWait(deriveEventWait(context, context.signals.await).awaited, context.prs)
    : 'waits for an event',
);

export const awaitRoutes = [
  {
    guard: 'externalAsked',
    target: '#job.parked.external',
    actions: [endVisit('await_event'), logEventWait, 'awaitEvent'],
  },
  {
    guard: 'wokenInVain',
    target: '#job.parked.developer',
    actions: [endVisit('no-progress'), 'countWait', 'awaitEvent', 'parkWokenInVain'],
  },
  {
    guard: 'awaitAsked',
    target: '#job.parked.event',
    actions: [endVisit('await_event'), logEventWait, 'countWait', 'awaitEvent'],
  },
] as const;

/**
 * Where a finished phase leads: to its sub-runs, a checkpoint or the next step. `again`: where the
 * phase reruns; `over`: what follows.
 */
export const buildPhaseOverRoutes = <const Again extends string, const Over extends string>(
  again: Again,
  over: Over,
) =>
  [
    { guard: 'waitsForSubRuns', target: '#job.parked.subRuns', actions: endVisit('sub-runs') },
    {
      guard: 'subRunsUnfinalized',
      target: '#job.parked.developer',
      actions: [endVisit('sub-runs-unfinalized'), 'parkUnfinalized'],
    },
    {
      guard: 'messageAtCheckpoint',
      target: again,
      actions: [
        endVisit('message'),
        writeLogLine(
          'message',
          'a message is unread: the phase runs again with it before it is approved',
        ),
        'goToReader',
      ],
    },
    { guard: 'checkpointHolds', target: '#job.parked.approval' },
    {
      guard: 'checkpointPasses',
      target: over,
      actions: 'approveInAdvance',
    },
    { target: over },
  ] as const;
