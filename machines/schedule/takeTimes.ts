import { MOST_PENDING_TIMES } from '../../src/base/jobs/schedules.ts';
import type { ScheduleAnswer } from './ports.ts';
import type { ScheduleContext } from './scheduleContext.ts';

type PlanAnswer = Extract<ScheduleAnswer, { type: 'schedule.planned' }>;

export interface TakenTimes {
  pending: number[];
  cancel: string[];
  /** Times that get no job, with the reason. */
  skipped: { time: number; problem: string }[];
}

/**
 * Which times get a job, by the rule for overlaps. Missed times that are made up always run in
 * sequence, whatever the rule for overlaps: the schedule asks for each of them.
 */
export function takeTimes(
  { pending, live }: Pick<ScheduleContext, 'pending' | 'live'>,
  { due, missed, overlap }: Pick<PlanAnswer, 'due' | 'missed' | 'overlap'>,
): TakenTimes {
  const missedTimes = missed.map((time) => ({
    time,
    problem: 'The runner was not running at this time.',
  }));
  const isBusy = live.length > 0 || pending.length > 0;
  if (due.length === 0 || !isBusy)
    return { pending: [...pending, ...due], cancel: [], skipped: missedTimes };
  if (overlap === 'cancel') {
    const newest = due.slice(-1);
    const replacedTimes = [...pending, ...due.slice(0, -1)].map((time) => ({
      time,
      problem: 'A later time replaced it before its job was created.',
    }));
    return { pending: newest, cancel: [...live], skipped: [...missedTimes, ...replacedTimes] };
  }
  if (overlap === 'skip') {
    const problem = `The job before it had not ended${live[0] === undefined ? '' : `: ${live[0]}`}.`;
    return {
      pending,
      cancel: [],
      skipped: [...missedTimes, ...due.map((time) => ({ time, problem }))],
    };
  }
  const room = Math.max(0, MOST_PENDING_TIMES - pending.length);
  const refusedTimes = due.slice(room).map((time) => ({
    time,
    problem: `${MOST_PENDING_TIMES} times already wait for the job before them.`,
  }));
  return {
    pending: [...pending, ...due.slice(0, room)],
    cancel: [],
    skipped: [...missedTimes, ...refusedTimes],
  };
}
