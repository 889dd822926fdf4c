import { formatUtcMinute } from '../../base/time/toIsoTime.ts';
import type { NotificationItem } from './notificationMessage.ts';

/** The last lines of an agent that failed, or the last failures of a schedule; a reason that repeats appears once. */
export function listDetailLines({ job, schedule }: NotificationItem): string[] {
  if (job !== null) return job.lastLines;
  const failures = schedule?.failures ?? [];
  return failures.map(({ time, jobId, why }, index) => {
    const when = [formatUtcMinute(time), jobId ?? ''].filter(Boolean).join(' ');
    const reason = why !== '' && why === failures[index - 1]?.why ? 'the same' : why;
    return [when, reason].filter(Boolean).join(': ');
  });
}
