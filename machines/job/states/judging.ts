import { writeLogLine } from '../log.ts';
import { jobSetup } from '../jobSetup.ts';
import { RATING_GRACE_MS } from '../rules/limits.ts';
import { collectRatingFacts } from '../rules/collectRatingFacts.ts';
import { findPhase } from '../rules/phases.ts';

export const RATING_TIMER = 'judge';

/**
 * The job continues whatever the provider does: failures, timeouts and invalid answers are recorded
 * as skips. A pause keeps the session's end.
 */
export const judging = jobSetup.createStateConfig({
  meta: { waits: 'for the decision layer to rate the phase' },
  entry: [
    {
      type: 'phase.judge',
      params: ({ context, event }) => {
        const { visit, session, workflow, phase, workflowPath, stop } = context;
        const definition = findPhase(workflow, phase);
        if (!definition || !stop?.judge) throw new Error(`phase ${phase} cannot be rated`);
        return {
          visit,
          session,
          phase: definition,
          workflowPath,
          terms: stop.judge,
          facts: collectRatingFacts(context, event.at),
        };
      },
    },
    {
      type: 'timer.set',
      params: ({ context, event }) => ({
        name: RATING_TIMER,
        due: event.at + (context.stop?.judge?.timeoutMs ?? 0) + RATING_GRACE_MS,
        event: { type: 'judge.overdue' },
      }),
    },
  ],
  exit: { type: 'timer.cancel', params: { name: RATING_TIMER } },
  on: {
    'phase.judged': { guard: 'currentRating', target: 'settling', actions: 'storeRating' },
    'judge.overdue': { target: 'settling', actions: 'skipRating' },
    'effect.givenUp': {
      guard: 'givenUpRating',
      target: 'settling',
      actions: 'skipRating',
    },
    'job.pause': {
      target: '#job.parked.paused',
      actions: [
        'pauseRating',
        writeLogLine('control', 'paused by a developer while the phase was rated'),
      ],
    },
    'job.cancel': { target: '#job.ended.cancelled', actions: 'storeReason' },
  },
});
