import type { ChartArrow, ChartNode } from '../../../contract/schema/workflow/machine.ts';
import { COMPLETE } from '../buildWorkflowChart.ts';

export function collectDrawnArrows({ states }: ChartNode): DrawnArrow[] {
  const statePaths = new Set(states.map(({ path }) => path));
  const drawnArrows = new Map<string, DrawnArrow>();
  for (const { path: from, arrows } of states) {
    for (const arrow of arrows) {
      for (const to of arrow.targets) {
        if (!statePaths.has(to)) continue;
        const key = JSON.stringify([from, to]);
        const one = drawnArrows.get(key) ?? { from, to, labels: [] };
        const label = describeArrow(arrow);
        if (!one.labels.includes(label)) one.labels.push(label);
        drawnArrows.set(key, one);
      }
    }
  }
  return [...drawnArrows.values()];
}

/** Events of a workflow's chart, for people. */
const WORDS: Readonly<Record<string, string>> = {
  '': 'at once',
  'session.ended': 'turn ends',
  'job.resume': 'developer',
  'job.message': 'message',
  'forge.event': 'pull request',
  'tool.goto_phase': 'goto_phase',
  'subRuns.settled': 'sub-runs ended',
};

/** Guards, for people. */
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

export interface DrawnArrow {
  from: string;
  to: string;
  labels: string[];
}

export function describeArrow({ event, guard }: Pick<ChartArrow, 'event' | 'guard'>): string {
  const word = WORDS[event] ?? event;
  return guard ? `${word} (${describeArrowGuard(guard.name)})` : word;
}

export const formatStateName = (path: string): string => (path === COMPLETE ? 'complete' : path);
