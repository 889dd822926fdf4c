import Type from 'typebox';
import {
  MAX_COUNTED_RUNS,
  MAX_COUNTED_VISITS,
  MAX_COUNTED_TRANSITIONS,
} from '../../../base/limits/countedRuns.ts';
import { closed, nullable } from '../kit/schemaKit.ts';

const CAUSES = {
  finished: 'the phase was over',
  approved: 'its checkpoint was approved, by a person or in advance',
  rejected: 'a person asked for changes',
  message: 'a person wrote a message',
  merged: 'an awaited pull request was merged',
  news: 'other news of a pull request',
  goto: 'the agent called goto_phase',
  blocked: 'the completion gate found an open work item, or an invariant forbids the end',
  'sub-runs': 'all sub-runs had ended',
  rerun: 'a person reran a phase',
  resumed: 'a person resumed the job',
  switched: 'the job changed its workflow',
  ended: 'the job failed, escalated or was cancelled',
  budget: 'a budget was spent',
  other: 'anything else',
} as const;
/** Why a job went from one phase of its workflow to another. */
export type TransitionCause = keyof typeof CAUSES;

export const WorkflowRunsQuery = Type.Object(
  {
    workflow: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'Path of the workflow in the overlay, such as workflows/job.md.',
    }),
  },
  closed,
);
export type WorkflowRunsQuery = Type.Static<typeof WorkflowRunsQuery>;

export const TakenTransition = Type.Object({
  from: Type.String({ description: 'The phase that it leaves.' }),
  to: Type.String({
    description:
      'The phase that it leads to, or (complete), (failed), (escalated), (cancelled) or (budget).',
  }),
  cause: Type.String({
    description: `Why: ${Object.entries(CAUSES)
      .map(([cause, says]) => `${cause} (${says})`)
      .join(', ')}. Later versions may have others.`,
  }),
  times: Type.Integer({ description: 'How often it was taken.' }),
  failed: Type.Integer({ description: 'How often by runs that are failed or escalated now.' }),
});
export type TakenTransition = Type.Static<typeof TakenTransition>;

/** Reply of GET /workflows/runs. */
export const WorkflowRuns = Type.Object({
  workflow: Type.String(),
  runs: Type.Integer({
    description: `Runs that are counted: the newest, at most ${MAX_COUNTED_RUNS}; sub-runs count as runs of their own workflow.`,
  }),
  failed: Type.Integer({ description: 'Of these, how many are failed or escalated now.' }),
  since: nullable(
    Type.String({ description: 'When the oldest of them was created; null = none.' }),
  ),
  transitions: Type.Array(TakenTransition, {
    description: `Each kind of transition once, the most frequent first; at most ${MAX_COUNTED_TRANSITIONS}. Of each run the newest ${MAX_COUNTED_VISITS} visits of phases count.`,
  }),
});
export type WorkflowRuns = Type.Static<typeof WorkflowRuns>;
