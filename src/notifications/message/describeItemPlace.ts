import type { NotificationItem } from './notificationMessage.ts';

/** Repository, workflow, phase and cost of an item's job or schedule on one line; empty for one without both. */
export function describeItemPlace({
  job,
  schedule,
}: Pick<NotificationItem, 'job' | 'schedule'>): string {
  const place = job ?? schedule;
  if (place === null) return '';
  const costUsd = job?.costUsd ?? null;
  const cost = costUsd === null ? null : `$${costUsd.toFixed(2)} so far`;
  return [place.repository, place.workflow, job?.phase, cost].filter(Boolean).join(' · ');
}
