import type { NotificationItem } from './notificationMessage.ts';

/** Repository, workflow, phase and cost of an item's job on one line; empty for one without a job. */
export function describeItemPlace({ job }: Pick<NotificationItem, 'job'>): string {
  if (job === null) return '';
  const cost = job.costUsd === null ? null : `$${job.costUsd.toFixed(2)} so far`;
  return [job.repository, job.workflow, job.phase, cost].filter(Boolean).join(' · ');
}
