import { formatUtcMinute } from '../../base/time/toIsoTime.ts';
import type { NotificationItem, ScheduleFailure } from './notificationMessage.ts';

/** The last lines of an agent that failed, or the last failures of a schedule. */
export const listDetailLines = ({ job, schedule }: NotificationItem): string[] =>
  job?.lastLines ?? schedule?.failures.map(describeFailure) ?? [];

const describeFailure = ({ time, jobId, why }: ScheduleFailure): string =>
  [`${formatUtcMinute(time)}${jobId === null ? '' : ` ${jobId}`}`, why].filter(Boolean).join(': ');
