import type { Caller } from '../../src/contract/schema/runner/caller.ts';
import type { ScheduleAnswer } from './ports.ts';

export interface ScheduleInput {
  name: string;
  /** sha256 of the schedule as it is configured. */
  definition: string;
  createdAt: number;
}

export interface ScheduleContext extends Omit<ScheduleInput, 'definition'> {
  /** null = it is no longer configured. */
  definition: string | null;
  /** Times up to this one are decided, epoch ms. */
  decidedUntil: number;
  /** Times whose jobs are not created yet, epoch ms, earliest first. */
  pending: number[];
  /** Its jobs that have not ended, those that a person has started included. */
  live: string[];
  /** Jobs of `live` that the next one cancels. */
  cancel: string[];
  /** Failures in a row. */
  failures: number;
  /** The timer has fired, or the configuration has changed, while a job was created. */
  mustPlan: boolean;
}

/** How a job of a schedule has ended. `other`: it was cancelled. */
export type ScheduledEnd = 'complete' | 'failed' | 'other';

/** `at` (epoch ms) is stamped by the kernel on every event. */
export type ScheduleEvent = (
  | ScheduleAnswer
  | { type: 'schedule.configured'; definition: string }
  | { type: 'schedule.removed' }
  | { type: 'schedule.due' }
  | { type: 'schedule.jobBegan'; jobId: string }
  | { type: 'schedule.jobEnded'; jobId: string; end: ScheduledEnd }
  | { type: 'schedule.resume'; by: Caller }
  | { type: 'effect.givenUp'; error: string }
) & { at: number };
