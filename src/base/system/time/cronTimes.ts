import { Cron } from 'croner';

/** A cron expression and the time zone (IANA name) in which it is read. */
export interface CronPlan {
  cron: string;
  timeZone: string;
}

/** Five fields, or one of the names that cron has for them. */
const FORM = /^(?:@(?:hourly|daily|midnight|weekly|monthly|yearly|annually)|\S+(?: +\S+){4})$/i;

/**
 * `no-wildcard`, as Vixie cron: a job at fixed times runs once on the day that has them twice, and right
 * after the gap on the day that does not have them. Others, such as every 30 minutes, follow the clock.
 */
const openCron = ({ cron, timeZone }: CronPlan): Cron =>
  new Cron(cron, { timezone: timeZone, paused: true, fixedTimeRule: 'no-wildcard' });

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}

/** What is wrong with a cron expression, to follow "is"; null = it can be used. */
export function findCronProblem(cron: string): string | null {
  if (!FORM.test(cron))
    return 'not a cron expression of five fields (minute hour day month weekday)';
  try {
    const next = openCron({ cron, timeZone: 'UTC' }).nextRun(new Date(0));
    return next === null ? 'a date that never comes' : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^\w+: /, '') : String(error);
    return `not a cron expression: ${reason.replace(/\.$/, '')}`;
  }
}

/** The next times strictly after a time, epoch ms, earliest first; fewer where the plan has no more. */
export const listNextCronTimes = (plan: CronPlan, after: number, count: number): number[] =>
  openCron(plan)
    .nextRuns(count, new Date(after))
    .map((date) => date.getTime());

/** The last times up to and including a time, epoch ms, earliest first. */
export const listPastCronTimes = (plan: CronPlan, until: number, count: number): number[] =>
  openCron(plan)
    .previousRuns(count, new Date(until + 1))
    .map((date) => date.getTime())
    .reverse();
