import { DEFAULT_LOOP_LIMITS, type LoopLimits } from '../../src/base/limits/loopLimits.ts';
import { onJobEvent, type JobChange } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { createLogEffect } from './log.ts';
import { createParkRecord } from './personChanges.ts';
import { countVisit, NO_PROGRESS_KNOWN, recordPosted } from './rules/loops.ts';
import { shorten } from '../../src/base/text/clip.ts';
import type { DetectedLoop } from '../../src/contract/schema/session/detectedLoop.ts';

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
const describeLoopPark = (loop: DetectedLoop, waits: boolean): string =>
  `no progress: ${describeLoop(loop)}. A message runs the phase again with what you say; resume ${waits ? 'lets the job wait again' : 'takes the next step'}; both count from zero.`;

const ADVICE: Readonly<Record<DetectedLoop['rule'], string>> = {
  state: 'Do something else than before, and close the work items that are done',
  tests: 'Find the cause of the failure before you change more',
  wakes: 'Do what the event asks for, or await only the kinds of events that need you',
};

/** What the next session is given when a warning is due. */
function describeLoopWarning(loop: DetectedLoop, limits: LoopLimits): string {
  const { park } = limits[loop.rule];
  const end = park > 0 ? ` The job is parked for a person when it comes to ${park}.` : '';
  return `[process note] No progress: ${describeLoop(loop)}. ${ADVICE[loop.rule]}; where you cannot continue, call escalate.${end}`;
}

const formatLoopWarningLine = (loop: DetectedLoop): string => `warned: ${describeLoop(loop)}`;

/** Counts the end of a visit; due warnings go to the next session. */
function countVisitEnd(context: JobContext, event: JobEvent, end: 'over' | 'waits') {
  const { progress, warned } = countVisit(context, end);
  const limits = context.limits.progress ?? DEFAULT_LOOP_LIMITS;
  const notes = warned.map((loop) => describeLoopWarning(loop, limits));
  const isNew = progress.marks.length > 0 || context.progress !== undefined;
  return {
    context: isNew
      ? { progress: notes.length === 0 ? progress : { ...progress, note: notes.join('\n\n') } }
      : {},
    effects: warned.map((loop) =>
      createLogEffect(context, event, 'no-progress', formatLoopWarningLine(loop)),
    ),
  };
}

const parkForLoop = (context: JobContext, event: JobEvent, waits: boolean) => {
  const loop = context.progress?.circle;
  if (!loop) throw new Error('parked for no progress without a loop');
  const { parked } = createParkRecord(context, event, 'developer', describeLoopPark(loop, waits));
  return { parked: { ...parked, circle: loop }, given: null };
};

export const loopChanges = {
  storeWork: onJobEvent(['session.ended'], ({ progress }, { work, failing }) =>
    work === undefined && failing === undefined
      ? {}
      : {
          context: {
            progress: {
              ...(progress ?? NO_PROGRESS_KNOWN),
              ...(work === undefined ? {} : { work }),
              ...(failing === undefined ? {} : { failing }),
            },
          },
        },
  ),
  notePosted: onJobEvent(['tool.post_artifact', 'tool.add_insight'], (context, event) => ({
    context: recordPosted(
      context,
      event.type === 'tool.post_artifact' ? `${event.kind} ${event.sha256}` : event.text,
    ),
  })),
  /** Added to the prompt, so a session that is cut short gives the warnings back. */
  giveWarnings: ({ progress, prompt }) => {
    if (progress?.note === undefined) return {};
    const { note, ...rest } = progress;
    return { context: { progress: rest, prompt: [prompt, note].filter(Boolean).join('\n\n') } };
  },
  countVisit: (context, event) => countVisitEnd(context, event, 'over'),
  countWait: (context, event) => countVisitEnd(context, event, 'waits'),
  /** Keeps what the agent asked for: a resume takes that step. */
  parkLoop: (context, event) => ({
    context: { ...parkForLoop(context, event, false), status: 'awaiting-developer-input' },
  }),
  /** After a resume the job awaits the event again. */
  parkWokenInVain: (context, event) => ({
    context: { ...parkForLoop(context, event, true), pausedFrom: 'event' },
  }),
} satisfies Record<string, JobChange>;
