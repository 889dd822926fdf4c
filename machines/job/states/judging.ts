import { writeLogLine } from '../log.ts';
import { jobSetup } from '../jobSetup.ts';
import { JUDGE_GRACE_MS } from '../rules/limits.ts';
import { collectRatingFacts } from '../rules/collectRatingFacts.ts';
import { findPhase } from '../rules/phases.ts';

const JUDGE_TIMER = 'judge';

/**
 * The job continues whatever comes: a provider that fails, hangs or answers nonsense is a skip that
 * is written down. A pause keeps the end of the session as it was.
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
        name: JUDGE_TIMER,
        due: event.at + (context.stop?.judge?.timeoutMs ?? 0) + JUDGE_GRACE_MS,
        event: { type: 'judge.overdue' },
      }),
    },
  ],
  exit: { type: 'timer.cancel', params: { name: JUDGE_TIMER } },
  on: {
    'phase.judged': { guard: 'currentJudgement', target: 'settling', actions: 'storeJudgement' },
    'judge.overdue': { target: 'settling', actions: 'skipJudgement' },
    'effect.givenUp': {
      guard: 'givenUpJudgement',
      target: 'settling',
      actions: 'skipJudgement',
    },
    'job.pause': {
      target: '#job.parked.paused',
      actions: [
        'pauseJudging',
        writeLogLine('control', 'paused by a developer while the phase was rated'),
      ],
    },
    'job.cancel': { target: '#job.ended.cancelled', actions: 'storeReason' },
  },
});
