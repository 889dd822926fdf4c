import { formatZoneTime } from '../../../src/base/time/formatZoneTime.ts';
import type { ScheduleRun, ScheduleView } from '../../../src/contract/schema/runner/schedule.ts';
import type { Io } from '../../io.ts';
import { formatAgo } from '../text/formatTimeWithAgo.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

type Style = Pick<Io, 'color' | 'now'>;

/** A schedule as it is configured, with what follows from it. */
export type PlannedSchedule = Pick<
  ScheduleView,
  'name' | 'cron' | 'timeZone' | 'workflow' | 'next' | 'problem'
>;

/** The next times, one a line, in the zone of the schedule. */
const formatTimes = ({ next, timeZone }: PlannedSchedule, io: Style): string[] =>
  next.map(
    (time, index) =>
      `  ${index === 0 ? 'next ' : '     '}  ${formatZoneTime(time, timeZone)}${index === 0 ? ` (${formatAgo(time, io.now())})` : ''}`,
  );

const formatHead = ({ name, cron, timeZone, workflow }: PlannedSchedule, io: Style): string =>
  `${io.color.bold(name)}  ${toPrintableLine(`${cron}, ${timeZone}, ${workflow}`)}`;

const formatProblem = ({ problem }: PlannedSchedule, io: Style): string[] =>
  problem === null ? [] : [`  ${io.color.red('wrong')}  ${toPrintableLine(problem)}`];

const formatRun = ({ time, state, jobId, problem, manual }: ScheduleRun, io: Style): string => {
  const outcome = jobId === null ? `${state}: ${problem ?? ''}` : `${jobId}`;
  return `  last   ${toPrintableLine(outcome)} (${manual ? 'by hand, ' : ''}${formatAgo(time, io.now())})`;
};

const formatState = ({ state, name, failures }: ScheduleView, io: Style): string[] => {
  if (state === 'off') return ['  off'];
  if (state === 'on') return [];
  return [
    `  ${io.color.red('paused')} after ${failures} failures in a row. To continue: svc schedule resume ${name}`,
  ];
};

export const formatPlannedSchedule = (schedule: PlannedSchedule, io: Style): string =>
  [formatHead(schedule, io), ...formatProblem(schedule, io), ...formatTimes(schedule, io)]
    .map((line) => `${line}\n`)
    .join('');

export function formatSchedule(schedule: ScheduleView, io: Style): string {
  const [last] = schedule.runs;
  const { liveJobs, waiting } = schedule;
  return [
    formatHead(schedule, io),
    ...formatState(schedule, io),
    ...formatProblem(schedule, io),
    ...formatTimes(schedule, io),
    ...(last === undefined ? [] : [formatRun(last, io)]),
    ...liveJobs.map((id) => `  runs   ${toPrintableLine(id)}`),
    ...(waiting === 0
      ? []
      : [`  ${waiting} ${waiting === 1 ? 'time waits' : 'times wait'} for it to end`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
