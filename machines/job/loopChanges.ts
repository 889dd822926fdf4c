import { DEFAULT_LOOP_LIMITS } from '../../src/base/limits/loopLimits.ts';
import { onJobEvent, type JobChange } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { createLogEffect } from './log.ts';
import { createParkRecord } from './personChanges.ts';
import { countVisit, NO_PROGRESS_KNOWN, recordPosted } from './rules/loops.ts';
import { describeLoopPark, formatLoopWarningLine, describeLoopWarning } from './rules/loopTexts.ts';

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
