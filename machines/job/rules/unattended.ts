import { toEventTime } from '../../kit/eventTime.ts';
import type { JobContext } from '../jobContext.ts';
import type { JobEvent } from '../jobEvents.ts';

type LimitedJob = Pick<JobContext, 'params' | 'createdAt'>;

const GOES_ON: ReadonlySet<string> = new Set<JobEvent['type']>([
  'job.resume',
  'job.message',
  'job.rerun',
]);

/** Limit of unattended work (`params.unattended.until`), epoch ms; null = no limit. */
export function readUnattendedLimit({ unattended }: JobContext['params']): number | null {
  const { until } = Object(unattended) as { until?: unknown };
  const at = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** Whether no session of the job may begin any more at the event's time. */
export function isLimitOver(context: LimitedJob, event: { at?: number }): boolean {
  const until = readUnattendedLimit(context.params);
  return until !== null && toEventTime(context, event) >= until;
}

/**
 * The params after a person lets the job continue: with the limit that a resume names, else without
 * an expired one. Returns the same object if nothing changes.
 */
export function applyUnattendedLimit(
  context: LimitedJob,
  event: { type: string; at?: number; unattended?: unknown },
): JobContext['params'] {
  const { params } = context;
  if (event.type === 'job.resume' && typeof event.unattended === 'string')
    return { ...params, unattended: { until: event.unattended } };
  if (!GOES_ON.has(event.type) || !isLimitOver(context, event)) return params;
  const { unattended: _, ...others } = params;
  return others;
}
