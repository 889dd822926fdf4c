import { shorten } from '../../../src/base/text/clip.ts';
import type { LoopLimits } from '../../../src/base/limits/loopLimits.ts';
import type { DetectedLoop } from '../../../src/contract/schema/session/detectedLoop.ts';

/** Longest test or event name in these texts, characters. */
const MAX_WHAT_CHARS = 120;

const formatLoopWay = ({ phases }: DetectedLoop): string => [phases.at(-1), ...phases].join(' → ');

const describeLoop = (loop: DetectedLoop): string => {
  const { rule, times, phases } = loop;
  const what = shorten(loop.what ?? '', MAX_WHAT_CHARS);
  if (rule === 'state')
    return `the job has repeated these phases ${times} times (${formatLoopWay(loop)}) and nothing has changed: the same files, pull requests, work items and parameters`;
  if (rule === 'tests')
    return `phase ${phases.at(-1)} has ended ${times} times with the same failing tests, the first of them ${what}`;
  return `${what} has woken the job ${times} times, and each time it waits again with nothing changed`;
};

/** Why the job is parked, and the ways on. `waits`: it was about to await an event. */
export const describeLoopPark = (loop: DetectedLoop, waits: boolean): string =>
  `no progress: ${describeLoop(loop)}. A message runs the phase again with what you say; resume ${waits ? 'lets the job wait again' : 'takes the next step'}; both count from zero.`;

const ADVICE: Readonly<Record<DetectedLoop['rule'], string>> = {
  state: 'Do something else than before, and close the work items that are done',
  tests: 'Find the cause of the failure before you change more',
  wakes: 'Do what the event asks for, or await only the kinds of events that need you',
};

/** What the next session is given when a warning is due. */
export function describeLoopWarning(loop: DetectedLoop, limits: LoopLimits): string {
  const { park } = limits[loop.rule];
  const end = park > 0 ? ` The job is parked for a person when it comes to ${park}.` : '';
  return `[process note] No progress: ${describeLoop(loop)}. ${ADVICE[loop.rule]}; where you cannot continue, call escalate.${end}`;
}

export const formatLoopWarningLine = (loop: DetectedLoop): string =>
  `warned: ${describeLoop(loop)}`;
