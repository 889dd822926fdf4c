import type { WorkflowRuns } from '../../src/contract/schema/workflow/workflowRuns.ts';
import type { TransitionCounts } from './picture/matchTransitions.ts';

/** How often the newest runs of a workflow took each arrow of its chart. */
export interface CountedRuns {
  reply: WorkflowRuns;
  counts: TransitionCounts;
}

const CAUSES: Readonly<Record<string, string>> = {
  rerun: 'rerun by a person',
  resumed: 'resumed by a person',
  switched: 'the workflow was changed',
  ended: 'cancelled',
  finished: 'passed without a wait',
  goto: 'the agent called goto_phase',
  message: 'a message',
  news: 'news of a pull request',
  merged: 'a pull request was merged',
};

/** What no arrow of the chart shows, as a line: `coding → planning, rerun by a person`. */
export const describeOtherTransition = ({
  from,
  to,
  cause,
}: WorkflowRuns['transitions'][number]): string =>
  `${from} → ${to.replace(/^\((.*)\)$/, '$1')}, ${CAUSES[cause] ?? cause}`;

/** `42 runs are counted, 3 of them failed or escalated.` */
export function describeCountedRuns({
  runs,
  failed,
}: Pick<WorkflowRuns, 'runs' | 'failed'>): string {
  if (runs === 0) return 'No job has run this workflow yet.';
  const of = runs === 1 ? '1 run is counted' : `${runs} runs are counted`;
  return `${of}, ${failed === 0 ? 'none' : failed} of them failed or escalated.`;
}
