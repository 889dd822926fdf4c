import Type from 'typebox';
import type { MissedRule, OverlapRule } from '../../../base/jobs/schedules.ts';
import { describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import type { TriggerParams } from '../forge/trigger.ts';

/** A schedule of the configuration: when which job is created. */
export interface ScheduleRule {
  name: string;
  enabled: boolean;
  /** Five fields, or a name such as `@daily`. */
  cron: string;
  /** IANA name. */
  timeZone: string;
  /** Labels that the runner must have, else it is not `enabled` there; left out = none. */
  labels?: string[];
  workflow: string;
  type: string;
  params: TriggerParams;
  missed: MissedRule;
  overlap: OverlapRule;
  /** Most minutes after a time, such as `10m`; `0m` = none. */
  jitter: string;
}

const ScheduleRun = Type.Object({
  time: describe(IsoTime, 'The time that was planned, or at which a person started it.'),
  manual: Type.Boolean({ description: 'A person started it.' }),
  state: Type.Enum(['started', 'skipped', 'refused'], {
    description:
      'started: it became a job. skipped: the rules for missed times and overlaps left it out. refused: the job could not be created.',
  }),
  jobId: nullable(Type.String()),
  problem: nullable(Type.String(), 'Why it became no job.'),
});
export type ScheduleRun = Type.Static<typeof ScheduleRun>;

export const ScheduleView = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  cron: Type.String(),
  timeZone: Type.String(),
  workflow: Type.String(),
  missed: Type.Enum(['skip', 'once', 'all']),
  overlap: Type.Enum(['skip', 'queue', 'cancel']),
  jitter: Type.String(),
  state: Type.Enum(['on', 'off', 'paused'], {
    description: 'paused: it has failed three times in a row, and waits for a person.',
  }),
  failures: Type.Integer({ description: 'Failures in a row.' }),
  waiting: Type.Integer({ description: 'Times that wait for the job before them to end.' }),
  liveJobs: Type.Array(Type.String(), { description: 'Its jobs that have not ended.' }),
  problem: nullable(
    Type.String(),
    'Why its next job could not be created now; null = nothing is known.',
  ),
  next: Type.Array(IsoTime, {
    description: 'The next five times, without jitter; none unless `state` is `on`.',
  }),
  runs: Type.Array(ScheduleRun, { description: 'Its last ten times, newest first.' }),
});
export type ScheduleView = Type.Static<typeof ScheduleView>;
export const ScheduleList = Type.Array(ScheduleView);
