import { endVisit, log } from '../log.ts';
import { awaitedText } from '../rules/awaitedText.ts';
import { awaitedFrom } from '../rules/wakeMatch.ts';

const awaitedLine = log('parked', (context) =>
  context.signals.await
    ? awaitedText(awaitedFrom(context, context.signals.await).awaited, context.prs)
    : 'waits for an event',
);

/** Where a phase leads whose agent waits for something. */
export const awaits = [
  {
    guard: 'externalAsked',
    target: '#job.parked.external',
    actions: [endVisit('await_event'), awaitedLine, 'awaitEvent'],
  },
  {
    guard: 'wokenInVain',
    target: '#job.parked.developer',
    actions: [endVisit('no-progress'), 'countWait', 'awaitEvent', 'parkWokenInVain'],
  },
  {
    guard: 'awaitAsked',
    target: '#job.parked.event',
    actions: [endVisit('await_event'), awaitedLine, 'countWait', 'awaitEvent'],
  },
] as const;

/**
 * Where a phase leads that is over: to its sub-runs, a checkpoint, or the next step. `again` is
 * where the phase begins once more, `over` what follows.
 */
export const phaseOver = <const Again extends string, const Over extends string>(
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
        log('message', 'a message is unread: the phase runs again with it before it is approved'),
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
