import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { logLine } from './jobRows.ts';

/** The effect that writes a line of the job's log. The log read alone tells what happened to the job and why. */
export const log = <Event extends JobEvent = JobEvent>(
  tag: string | null,
  line: string | ((context: JobContext, event: Event) => string),
) => ({
  type: 'frame.add' as const,
  params: ({ context, event }: { context: JobContext; event: Event }) =>
    logLine(context, event, tag, typeof line === 'string' ? line : line(context, event)),
});

/** The effect that closes the visit's row, unless that was done. */
export const endVisit = (outcome: string) => ({ type: 'endVisit' as const, params: { outcome } });
