import type { CreateJobBody } from '../../contract/schema/api/bodies.ts';
import type { ScheduleRule } from '../../contract/schema/runner/schedule.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { JobOrigin } from '../create/createJob.ts';

export interface ScheduledTime {
  /** The time that was planned, or at which a person started it, epoch ms. */
  time: number;
  manual: boolean;
  /** Epoch ms. */
  now: number;
}

export const buildScheduledBody = ({ type, workflow, params }: ScheduleRule): CreateJobBody => ({
  type,
  workflowPath: workflow,
  params: { ...params },
});

/** Why the job exists; its row is written in the commit that creates it, so a time never has two jobs. */
export const buildScheduledOrigin = (
  { name, cron, timeZone }: ScheduleRule,
  { time, manual, now }: ScheduledTime,
): JobOrigin => ({
  trigger: { schedule: name, time: toIsoTime(time), manual },
  line: manual
    ? `a person started the schedule ${name}`
    : `created by the schedule ${name} (${cron}, ${timeZone}) for ${toIsoTime(time)}`,
  rows: (jobId) => [
    {
      op: 'put',
      table: 'schedule_runs',
      row: {
        schedule: name,
        time,
        manual: manual ? 1 : 0,
        state: 'started',
        job_id: jobId,
        problem: null,
        at: now,
      },
    },
  ],
});
