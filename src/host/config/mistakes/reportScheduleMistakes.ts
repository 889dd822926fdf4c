import { MOST_JITTER_MS } from '../../../base/jobs/schedules.ts';
import {
  findCronProblem,
  isTimeZone,
  listNextCronTimes,
} from '../../../base/system/time/cronTimes.ts';
import { parseShortDuration } from '../../../base/time/parseShortDuration.ts';
import { listParamTypeErrors } from '../../../contract/schema/job/jobParams.ts';
import type { Config } from '../configSchema.ts';

type Schedule = Config['schedules'][number];

/** Times that are compared to find the shortest distance between two. */
const COMPARED_TIMES = 60;

function findJitterProblem({ cron, jitter }: Schedule): string | null {
  const ms = parseShortDuration(jitter) ?? 0;
  if (ms > MOST_JITTER_MS) return 'is longer than 1h.';
  if (ms === 0) return null;
  const times = listNextCronTimes({ cron, timeZone: 'UTC' }, 0, COMPARED_TIMES);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return gaps.some((gap) => gap <= ms)
    ? `is not shorter than the time between two jobs of ${cron}.`
    : null;
}

/** Mistakes of schedules that no schema sees: expressions, time zones, names used twice. */
export function reportScheduleMistakes(
  { schedules }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  const seenNames = new Set<string>();
  for (const [index, schedule] of schedules.entries()) {
    const { name, cron, timeZone, params, jitter } = schedule;
    const at = (...keys: (string | number)[]) => ['schedules', index, ...keys];
    const place = `schedules[${index}]`;
    if (seenNames.has(name))
      report(at('name'), `Two schedules have the name ${name}. Give each its own name.`);
    seenNames.add(name);
    const problem = findCronProblem(cron);
    if (problem !== null)
      report(
        at('cron'),
        `${place}.cron is "${cron}", which is ${problem}. Write it as in "0 3 * * MON-FRI".`,
      );
    if (!isTimeZone(timeZone))
      report(
        at('timeZone'),
        `${place}.timeZone is "${timeZone}", which is not a time zone. Use a name such as Europe/Berlin or UTC.`,
      );
    const unfit = problem === null ? findJitterProblem(schedule) : null;
    if (unfit !== null)
      report(at('jitter'), `${place}.jitter is "${jitter}", but ${unfit.replace(/^is/, 'it is')}`);
    for (const { pointer, message } of listParamTypeErrors(params)) {
      const [key = '', item] = pointer.slice(1).split('/');
      report(
        at('params', key, ...(item === undefined ? [] : [Number(item)])),
        `${place}.params.${key} ${message}.`,
      );
    }
  }
}
