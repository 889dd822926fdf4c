import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { JobTimeline } from '../../../src/contract/schema/job/timeline.ts';
import { formatAge, formatDateTime, formatDuration } from '../jobText.ts';

/** A time as a text, and the moments behind it for its tooltip. */
interface JobTime {
  says: string;
  title: string;
}

/** A length without fractions of a second. */
export const formatWholeSeconds = (ms: number): string =>
  formatDuration(Math.max(1, Math.floor(ms / 1_000)) * 1_000);

/**
 * The one time in the head of a job: how long it has been doing what its status says, or how long ago
 * it ended. `now`: epoch ms. `timeline` null: it is not known yet.
 */
export function describeJobTime(
  { ended, parked, createdAt }: Pick<Job, 'ended' | 'parked' | 'createdAt'>,
  timeline: Pick<JobTimeline, 'spans' | 'running'> | null,
  now: number,
): JobTime {
  const creationText = `Created ${formatDateTime(createdAt)}`;
  const last = timeline?.spans.at(-1);
  if (ended) {
    const end = last?.to ?? null;
    if (end === null) return { says: '', title: creationText };
    const age = formatAge(end, now);
    return {
      says: age === 'now' ? 'just now' : `${age} ago`,
      title: `Ended ${formatDateTime(end)}\n${creationText}`,
    };
  }
  const runningVisit = parked === null ? (timeline?.running ?? null) : null;
  const since = runningVisit?.since ?? parked?.since ?? last?.from ?? createdAt;
  const title = `Since ${formatDateTime(since)}\n${creationText}`;
  if (runningVisit !== null)
    return { says: `running ${formatWholeSeconds(now - Date.parse(since))}`, title };
  const age = formatAge(since, now);
  return { says: age === 'now' ? 'just now' : `for ${age}`, title };
}
