import type { ScheduleView } from '../../../src/contract/schema/runner/schedule.ts';

export const A_SCHEDULE: ScheduleView = {
  name: 'nightly',
  enabled: true,
  cron: '0 3 * * MON-FRI',
  timeZone: 'Europe/Berlin',
  workflow: 'workflows/job.md',
  missed: 'once',
  overlap: 'skip',
  jitter: '0m',
  state: 'on',
  failures: 0,
  waiting: 0,
  liveJobs: [],
  problem: null,
  next: ['2026-12-01T02:00:00.000Z', '2026-12-02T02:00:00.000Z'],
  runs: [
    {
      time: '2026-11-30T02:00:00.000Z',
      manual: false,
      state: 'started',
      jobId: 'svc-job-1767225600000',
      problem: null,
    },
  ],
};
