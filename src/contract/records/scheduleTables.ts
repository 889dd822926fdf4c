import type { ScheduledOutcome } from '../../base/jobs/schedules.ts';

/** What came of the times of schedules; a part of `Tables`. */
export interface ScheduleTables {
  /** The newest times of each schedule; older ones are removed as new ones come. */
  schedule_runs: {
    schedule: string;
    /** The time that was planned, or at which a person started it, epoch ms. */
    time: number;
    /** A person started it. */
    manual: 0 | 1;
    state: ScheduledOutcome;
    /** Null: it got no job. */
    job_id: string | null;
    /** Why it got none. */
    problem: string | null;
    /** When it was decided, epoch ms. */
    at: number;
  };
}
