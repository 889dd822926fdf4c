import { isJobUnreadable } from '../../../src/base/jobs/isJobUnreadable.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { pickJobTone } from '../jobText.ts';

/** Whether the overview of a job asks something; a review has a tab of its own, to which the head leads. */
export const isAskedOnOverview = (job: Job): boolean =>
  !isJobUnreadable(job.broken) &&
  ((pickJobTone(job) === 'needs-you' && job.needs?.ask !== 'review') ||
    job.snoozed !== undefined ||
    pickJobTone(job) === 'bad' ||
    // What a raise would answer at once, although a new day or week does too.
    job.parked?.kind === 'budget');
