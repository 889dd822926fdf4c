import type { ScheduleAnswer } from '../../../machines/index.ts';
import { LATE_MS, MOST_PENDING_TIMES } from '../../base/jobs/schedules.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import { listNextCronTimes, listPastCronTimes } from '../../base/system/time/cronTimes.ts';
import { parseShortDuration } from '../../base/time/parseShortDuration.ts';
import type { ScheduleRule } from '../../contract/schema/runner/schedule.ts';

type PlanAnswer = Extract<ScheduleAnswer, { type: 'schedule.planned' }>;

/**
 * How long after a time its job is created, ms: the same whenever it is asked, and spread evenly over
 * the schedules and times.
 */
function computeJitter({ name, jitter }: ScheduleRule, time: number): number {
  const most = parseShortDuration(jitter) ?? 0;
  if (most === 0) return 0;
  const share = Number.parseInt(sha256(`${name}/${time}`).slice(0, 8), 16) / 0x1_0000_0000;
  return Math.floor(share * most);
}

/**
 * Which times after `decidedUntil` have come by `now`, what becomes of them by the rule for missed ones,
 * and which is the next. A time whose jitter is not over yet has not come. Only the newest
 * {@link MOST_PENDING_TIMES} of many missed times are considered.
 */
export function planTimes(
  rule: ScheduleRule,
  decidedUntil: number,
  now: number,
): Pick<PlanAnswer, 'decidedUntil' | 'due' | 'missed' | 'next'> {
  const past = listTimesBetween(rule, decidedUntil, now);
  const toDue = (time: number) => time + computeJitter(rule, time);
  const firstToCome = past.findIndex((time) => toDue(time) > now);
  const come = firstToCome === -1 ? past : past.slice(0, firstToCome);
  const onTime = come.filter((time) => now - toDue(time) <= LATE_MS);
  const late = come.filter((time) => now - toDue(time) > LATE_MS).slice(-MOST_PENDING_TIMES);
  const madeUp = pickMadeUp(rule, late, onTime);
  const next = past[come.length] ?? listNextCronTimes(rule, now, 1)[0];
  return {
    decidedUntil: come.at(-1) ?? decidedUntil,
    due: [...madeUp, ...onTime],
    missed: late.filter((time) => !madeUp.includes(time)),
    next: next === undefined ? null : { time: next, due: toDue(next) },
  };
}

/** One job for all missed times is not needed where a time is due anyway. */
const pickMadeUp = ({ missed }: ScheduleRule, late: number[], onTime: number[]): number[] => {
  if (missed === 'all') return late;
  return missed === 'once' && onTime.length === 0 ? late.slice(-1) : [];
};

/** Times after the first and up to the second one, the newest {@link MOST_PENDING_TIMES} and one more. */
function listTimesBetween(rule: ScheduleRule, after: number, until: number): number[] {
  // Mostly one time has come: two steps forward cost a tenth of as many steps back as there may be.
  const [first = Number.POSITIVE_INFINITY, second = Number.POSITIVE_INFINITY] = listNextCronTimes(
    rule,
    after,
    2,
  );
  if (first > until) return [];
  return second > until
    ? [first]
    : listPastCronTimes(rule, until, MOST_PENDING_TIMES + 1).filter((time) => time > after);
}
