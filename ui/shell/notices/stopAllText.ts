import type { StopAllReply } from '../../../src/contract/schema/api/bodies.ts';
import type { JobCounts } from '../../../src/contract/schema/api/replies.ts';

/** Jobs that have not ended: those that need a person because they failed have. */
const countOpenJobs = ({ is, needs }: JobCounts) => ({
  work: is.working,
  queued: is.queued,
  wait: is.waiting + needs.decide + needs.review,
});

/** How many jobs have not ended. */
export const sumOpenJobs = (counts: JobCounts): number =>
  Object.values(countOpenJobs(counts)).reduce((sum, number) => sum + number, 0);

export const formatJobCount = (number: number): string =>
  `${number} ${number === 1 ? 'job' : 'jobs'}`;

/** The jobs that a stop is about. */
export function describeOpenJobs(counts: JobCounts): string {
  const { work, queued, wait } = countOpenJobs(counts);
  const all = sumOpenJobs(counts);
  return `${formatJobCount(all)} ${all === 1 ? 'has' : 'have'} not ended: ${work} at work, ${queued} queued, ${wait} waiting.`;
}

/** The outcome of a stop. */
export function describeStopAllReply({ paused, resting }: StopAllReply): string {
  const were = `${formatJobCount(paused)} ${paused === 1 ? 'is' : 'are'} paused`;
  return resting === 0
    ? `${were}.`
    : `${were}. ${formatJobCount(resting)} ${resting === 1 ? 'was' : 'were'} paused already, or ${resting === 1 ? 'waits' : 'wait'} for a person anyway.`;
}
