import type { ActorState, DurableChart } from '../../src/kernel/chart.ts';
import { scheduleMachine } from './schedule.ts';
import type { ScheduleContext, ScheduleEvent } from './scheduleContext.ts';

/** Raise it with every change that older snapshots do not survive unmigrated. */
const SCHEDULE_CHART_VERSION = 1;

const runner = 'the runner';
const SENDERS: Readonly<Record<ScheduleEvent['type'], string>> = {
  'schedule.configured': 'the configuration',
  'schedule.removed': 'the configuration',
  'schedule.planned': runner,
  'schedule.due': 'a timer',
  'schedule.started': runner,
  'schedule.refused': runner,
  'schedule.jobBegan': 'a job',
  'schedule.jobEnded': 'a job',
  'schedule.resume': 'a developer',
  'effect.givenUp': 'the kernel',
};

export const toScheduleActorId = (name: string): string => `schedule.${name}`;

/** The kernel passes only what it stored under this chart's name. */
export const readScheduleContext = (state: ActorState): ScheduleContext =>
  state.context as ScheduleContext;

export const scheduleChart: DurableChart = {
  id: 'schedule',
  version: SCHEDULE_CHART_VERSION,
  about:
    'One schedule of the configuration: each of its times becomes a job once, or is left out by its rules for missed times and overlaps; three failures in a row pause it.',
  versions: { 1: 'jobs by cron expression' },
  get machine() {
    return scheduleMachine();
  },
  senders: SENDERS,
  guards: {
    isStale: { readsEvent: true, says: 'the answer is about an earlier definition' },
    hasNoTimes: { readsEvent: true, says: 'the schedule is off, or no further time comes' },
    mayStart: {
      readsEvent: true,
      says: 'a time is due, and no job is in its way or the rule cancels it',
    },
    failsTooOften: { readsEvent: true, says: 'this is the third failure in a row' },
    wasLastJob: {
      readsEvent: true,
      says: 'a time waits, and this was the last job that had not ended',
    },
    hasNext: { readsEvent: false, says: 'another time waits, and no job is in its way' },
    mustPlan: {
      readsEvent: false,
      says: 'a time has come, or the configuration has changed, meanwhile',
    },
    isAsBefore: { readsEvent: true, says: 'the definition is the same as before' },
  },
  index: (state) => ({
    label: String(state.value),
    kind: 'schedule',
    // No parent: it outlives its jobs.
    parent: null,
    slot: false,
    waitingSince: null,
    activity: ['planning', 'starting'].includes(String(state.value)) ? 'live' : 'parked',
  }),
  frames: () => [],
  createGivenUpEvent: ({ error }) => ({ type: 'effect.givenUp', error }),
  migrations: {},
};
