import { CreatedJob, EmptyBody } from '../schema/api/bodies.ts';
import { ScheduleList, ScheduleView } from '../schema/runner/schedule.ts';
import { allowBody, type SomeRoutes } from './route.ts';

export const scheduleRoutes = {
  schedules: {
    access: 'read',
    team: null,
    summary:
      'Schedules of the configuration: the next five times, what came of the last ten, and why the next job could not be created now.',
    reply: ScheduleList,
    refusals: [],
  },
  runSchedule: {
    access: 'write',
    team: null,
    summary:
      'Creates the job of a schedule now, beside its times. An Idempotency-Key makes a repeat harmless.',
    body: allowBody(EmptyBody),
    status: 201,
    reply: CreatedJob,
    refusals: [
      'not-found',
      'invalid',
      'workflow-invalid',
      'cannot-run',
      'over-budget',
      'guardrail',
      'stopping',
      'store-failed',
    ],
  },
  resumeSchedule: {
    access: 'write',
    team: null,
    summary:
      'Resumes a schedule that has paused itself after three failures in a row. What was missed meanwhile is not made up.',
    body: allowBody(EmptyBody),
    reply: ScheduleView,
    refusals: ['not-found', 'not-possible-now', 'stopping', 'store-failed'],
  },
} satisfies SomeRoutes;
