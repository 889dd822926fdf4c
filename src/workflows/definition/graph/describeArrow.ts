import type { ChartArrow } from '../../../contract/schema/workflow/machine.ts';
import { COMPLETE } from '../buildWorkflowChart.ts';

/** What people call the events of a workflow's chart. */
const WORDS: Readonly<Record<string, string>> = {
  '': 'at once',
  'session.ended': 'turn ends',
  'job.resume': 'developer',
  'job.message': 'message',
  'forge.event': 'pull request',
  'tool.goto_phase': 'goto_phase',
  'subRuns.settled': 'sub-runs ended',
};

/** What people call the guards. */
const GUARDS: Readonly<Record<string, string>> = {
  approved: 'approves',
  rejected: 'rejects',
  gatePasses: 'all done',
  gateBlocks: 'work is open',
  merged: 'merged',
  news: 'news',
};

const describeArrowGuard = (name: string): string =>
  name
    .split(' and ')
    .map((one) => GUARDS[one] ?? one)
    .join(', ');

/** One way from a state to another, with all that leads along it. */
export interface DrawnArrow {
  from: string;
  to: string;
  labels: string[];
}

/** An arrow in a few words. */
export function describeArrow({ event, guard }: Pick<ChartArrow, 'event' | 'guard'>): string {
  const word = WORDS[event] ?? event;
  return guard ? `${word} (${describeArrowGuard(guard.name)})` : word;
}

/** The name of a state as people see it. */
export const formatStateName = (path: string): string => (path === COMPLETE ? 'complete' : path);
