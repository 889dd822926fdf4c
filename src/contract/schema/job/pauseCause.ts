import Type from 'typebox';

/** Why a job is paused, where no person has paused it alone. */
export const PauseCause = Type.Enum(['until', 'stop-all']);
export type PauseCause = Type.Static<typeof PauseCause>;

/** What each of them means. */
export const PAUSE_CAUSE =
  'Only with paused: `until`, its unattended time is over; `stop-all`, it was paused with every other job. Omitted: a person paused this job.';
