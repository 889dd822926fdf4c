import type { JobEffect } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { toLogFrame } from './rows.ts';

export const createLogEffect = (
  context: Pick<JobContext, 'createdAt' | 'phase' | 'visit'>,
  event: { at?: number },
  tag: string | null,
  text: string,
): JobEffect => ({
  type: 'frame.add',
  params: toLogFrame(context, event, tag, text),
});

/** Writes a line of the job's log. The log alone tells what happened to the job and why. */
export const writeLogLine = <Event extends JobEvent = JobEvent>(
  tag: string | null,
  text: string | ((context: JobContext, event: Event) => string),
) => ({
  type: 'frame.add' as const,
  params: ({ context, event }: { context: JobContext; event: Event }) =>
    toLogFrame(context, event, tag, typeof text === 'string' ? text : text(context, event)),
});

/** Closes the visit's row unless it is already closed. */
export const endVisit = (outcome: string) => ({ type: 'endVisit' as const, params: { outcome } });
