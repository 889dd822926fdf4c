import type { OverlapRule } from '../../src/base/jobs/schedules.ts';

/** The acts on the outside world that a schedule's chart may ask for: name → input. */
export interface SchedulePorts {
  /**
   * Compares the plan with the clock: which times after `decidedUntil` are due by now, and which is
   * the next. Answers `schedule.planned`.
   */
  'schedule.plan': { name: string; definition: string | null; decidedUntil: number };
  /**
   * Cancels the jobs in `cancel`, then creates the job of one time, once however often it is asked.
   * Answers `schedule.started` or `schedule.refused`.
   */
  'schedule.start': { name: string; time: number; cancel: string[] };
}

export type ScheduleAnswer =
  | {
      type: 'schedule.planned';
      /** The definition that was planned; another one than the present makes the answer stale. */
      definition: string | null;
      /** Times up to this one are decided, epoch ms. */
      decidedUntil: number;
      /** Times that get a job, epoch ms, earliest first. */
      due: number[];
      /** Times that were missed and get none. */
      missed: number[];
      /** The next time, and when its job is created: with the jitter. Null = no further time. */
      next: { time: number; due: number } | null;
      overlap: OverlapRule;
    }
  | { type: 'schedule.started'; time: number }
  /** `counts`: it is one of the failures after which the schedule pauses. */
  | { type: 'schedule.refused'; time: number; problem: string; counts: boolean };
