import { formatUtcMinute } from '../../src/base/time/toIsoTime.ts';
import type { JobChange, JobEffect, Patch } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { createLogEffect } from './log.ts';
import { applyUnattendedLimit, readUnattendedLimit } from './rules/unattended.ts';

/** Timer of a job that works unattended: its time is over. */
const LIMIT_TIMER = 'unattended';

/** Records why a pause begins; `parked.cause` has it once the job is paused. */
export function recordPauseCause({ pauseCause: before }: JobContext, event: JobEvent): Patch {
  const now = event.type !== 'job.pause' ? 'until' : event.all === true ? 'stop-all' : undefined;
  return before === now ? {} : { pauseCause: now };
}

/** Why the job is paused, in words. */
export function describePause({ pauseCause, params }: JobContext): string {
  const until = readUnattendedLimit(params);
  if (pauseCause === 'until' && until !== null)
    return `until: the time that it may work unattended was over at ${formatUtcMinute(until)}; resume continues it without a limit`;
  return `${pauseCause === 'stop-all' ? 'stop-all: paused with every other job' : 'paused by a developer'}; resume or a message continues it`;
}

export const unattendedChanges = {
  /** A person lets the job continue: sets the timer of its limit, if any. */
  takeLimit: (context, event) => {
    const params = applyUnattendedLimit(context, event);
    const until = readUnattendedLimit(params);
    const effects: JobEffect[] = [];
    if (until === null && params !== context.params)
      effects.push(
        createLogEffect(context, event, 'wake', 'a person has it continue without a limit of time'),
      );
    if (until !== null)
      effects.push({
        type: 'timer.set',
        params: { name: LIMIT_TIMER, due: until, event: { type: 'until.reached' } },
      });
    return params === context.params ? { effects } : { context: { params }, effects };
  },
  /** An ended job needs no timer; a rerun sets a new one. */
  endLimit: ({ params }) =>
    readUnattendedLimit(params) === null
      ? {}
      : { effects: [{ type: 'timer.cancel', params: { name: LIMIT_TIMER } }] },
} satisfies Record<string, JobChange>;
