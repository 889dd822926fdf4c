import { setup } from 'xstate';
import { makeOnFirstUse } from '../../src/base/concurrency/makeOnFirstUse.ts';
import { MOST_SCHEDULE_FAILURES } from '../../src/base/jobs/schedules.ts';
import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import { createChangeActions, createEffectAction } from '../kit/actions.ts';
import { createEventChangeBuilder, type EffectOf } from '../kit/change.ts';
import type { SchedulePorts } from './ports.ts';
import type { ScheduleContext, ScheduleEvent, ScheduleInput } from './scheduleContext.ts';
import { takeTimes } from './takeTimes.ts';

/** Most eventless transitions; the chart has none, so more would be a cycle. */
const MAX_MICROSTEPS = 5;
const TIMER = 'due';
/** Most jobs of one schedule that are followed; only people start that many. */
const MOST_LIVE = 100;

type Effects = SchedulePorts & Pick<IntrinsicParams, 'row.put' | 'timer.set' | 'timer.cancel'>;
type Effect = EffectOf<Effects>;

interface Args {
  context: ScheduleContext;
  event: ScheduleEvent;
}

/** Failures in a row after an event. */
const countFailures = ({ failures }: ScheduleContext, event: ScheduleEvent): number => {
  if (event.type === 'effect.givenUp') return failures + 1;
  if (event.type === 'schedule.refused') return failures + Number(event.counts);
  if (event.type !== 'schedule.jobEnded' || event.end === 'other') return failures;
  return event.end === 'complete' ? 0 : failures + 1;
};

const guards = {
  isStale: ({ context, event }: Args) =>
    event.type === 'schedule.planned' && event.definition !== context.definition,
  hasNoTimes: ({ event }: Args) =>
    event.type === 'schedule.planned' && event.next === null && event.due.length === 0,
  mayStart: ({ context, event }: Args) => {
    if (event.type !== 'schedule.planned') return false;
    const { pending, cancel } = takeTimes(context, event);
    return pending.length > 0 && (context.live.length === 0 || cancel.length > 0);
  },
  failsTooOften: ({ context, event }: Args) =>
    countFailures(context, event) >= MOST_SCHEDULE_FAILURES,
  wasLastJob: ({ context, event }: Args) =>
    event.type === 'schedule.jobEnded' &&
    context.pending.length > 0 &&
    context.live.every((id) => id === event.jobId),
  hasNext: ({ context }: Args) => context.pending.length > 1 && context.live.length === 0,
  mustPlan: ({ context }: Args) => context.mustPlan,
  isAsBefore: ({ context, event }: Args) =>
    event.type === 'schedule.configured' && event.definition === context.definition,
};

const onScheduleEvent = createEventChangeBuilder<ScheduleContext, ScheduleEvent, Effect>();

const putOutcome = (
  name: string,
  time: number,
  at: number,
  state: 'skipped' | 'refused',
  problem: string,
): Effect => ({
  type: 'row.put',
  params: {
    table: 'schedule_runs',
    row: { schedule: name, time, manual: 0, state, job_id: null, problem, at },
  },
});

const changes = {
  plan: ({ name, definition, decidedUntil }: ScheduleContext) => ({
    context: { mustPlan: false },
    effects: [{ type: 'schedule.plan' as const, params: { name, definition, decidedUntil } }],
  }),
  take: onScheduleEvent(['schedule.planned'], (context, event) => {
    const { pending, cancel, skipped } = takeTimes(context, event);
    return {
      context: { decidedUntil: event.decidedUntil, pending, cancel },
      effects: [
        ...skipped.map(({ time, problem }) =>
          putOutcome(context.name, time, event.at, 'skipped', problem),
        ),
        event.next === null
          ? { type: 'timer.cancel' as const, params: { name: TIMER } }
          : {
              type: 'timer.set' as const,
              params: { name: TIMER, due: event.next.due, event: { type: 'schedule.due' } },
            },
      ],
    };
  }),
  start: ({ name, pending: [time = 0], cancel }: ScheduleContext) => ({
    context: { cancel: [] },
    effects: [{ type: 'schedule.start' as const, params: { name, time, cancel } }],
  }),
  finishStart: ({ pending }: ScheduleContext) => ({ context: { pending: pending.slice(1) } }),
  refuseStart: onScheduleEvent(['schedule.refused', 'effect.givenUp'], (context, event) => {
    const [time = 0, ...pending] = context.pending;
    const problem = event.type === 'effect.givenUp' ? event.error : event.problem;
    return {
      context: { pending, failures: countFailures(context, event) },
      effects: [putOutcome(context.name, time, event.at, 'refused', problem)],
    };
  }),
  rememberToPlan: () => ({ context: { mustPlan: true } }),
  noteJob: onScheduleEvent(['schedule.jobBegan'], ({ live }, { jobId }) => ({
    context: { live: [...live.filter((id) => id !== jobId), jobId].slice(-MOST_LIVE) },
  })),
  noteEnd: onScheduleEvent(['schedule.jobEnded'], (context, event) => ({
    context: {
      live: context.live.filter((id) => id !== event.jobId),
      cancel: context.cancel.filter((id) => id !== event.jobId),
      failures: countFailures(context, event),
    },
  })),
  configure: onScheduleEvent(['schedule.configured'], (_context, { definition, at }) => ({
    context: { definition, decidedUntil: at, pending: [], cancel: [], failures: 0 },
  })),
  /** The job that is being created is finished first. */
  configureLater: onScheduleEvent(['schedule.configured'], ({ pending }, { definition, at }) => ({
    context: {
      definition,
      decidedUntil: at,
      pending: pending.slice(0, 1),
      failures: 0,
      mustPlan: true,
    },
  })),
  remove: () => ({ context: { definition: null, pending: [], cancel: [] } }),
  removeLater: ({ pending }: ScheduleContext) => ({
    context: { definition: null, pending: pending.slice(0, 1), mustPlan: true },
  }),
  dropPending: () => ({ context: { pending: [], cancel: [], mustPlan: false } }),
  resume: onScheduleEvent(['schedule.resume'], (_context, { at }) => ({
    context: { decidedUntil: at, failures: 0 },
  })),
};

const scheduleSetup = setup({
  types: {
    context: {} as ScheduleContext,
    events: {} as ScheduleEvent,
    input: {} as ScheduleInput,
    meta: {} as { waits: string },
  },
  guards,
  actions: {
    'schedule.plan': createEffectAction<Effects['schedule.plan']>(),
    'schedule.start': createEffectAction<Effects['schedule.start']>(),
    'row.put': createEffectAction<Effects['row.put']>(),
    'timer.set': createEffectAction<Effects['timer.set']>(),
    'timer.cancel': createEffectAction<Effects['timer.cancel']>(),
  },
}).extend({ actions: createChangeActions<ScheduleContext, ScheduleEvent, Effect>()(changes) });

const cancelTimer = { type: 'timer.cancel', params: { name: TIMER } } as const;
const configure = { target: 'planning', actions: 'configure' } as const;
const remove = { target: 'off', actions: 'remove' } as const;

/**
 * One schedule of the configuration: when its jobs are created, and what happens to a time at which
 * the runner was not running or the job before had not ended. Its jobs report their begin and end in
 * the commits in which they begin and end, so `live` is never wrong.
 *
 * **planning** - in it while its times are compared with the clock; on entry `schedule.plan` is asked
 * for. Every time after `decidedUntil` is decided in the step that takes the answer, so none is
 * decided twice. Leaves: an answer with a time that may begin → starting; with one that waits for the
 * job before it, or with none → waiting; without any time to come → off; the planning given up →
 * paused. An answer about an earlier definition is ignored.
 *
 * **waiting** - in it until the next time. A timer is set. Leaves: the timer, or another definition →
 * planning; the end of the job before a time that waits for it → starting; the third failure in a row
 * → paused; removed from the configuration → off.
 *
 * **starting** - in it while the job of one time is created; on entry `schedule.start` is asked for.
 * What happens meanwhile is remembered. Leaves: created or refused → starting with the next time that
 * waits, planning if a time has come meanwhile, else waiting; the third failure in a row → paused.
 *
 * **paused** - in it after three failures in a row. On entry the timer is cancelled and times that
 * wait are forgotten. Leaves: a person who resumes it, or another definition → planning, which does
 * not make up what was missed; removed → off.
 *
 * **off** - in it while it is switched off, or not configured. On entry the timer is cancelled.
 * Leaves: configured → planning. The same definition continues where it was, so that times count as
 * missed; another one begins now.
 */
export const scheduleMachine = makeOnFirstUse(() =>
  scheduleSetup.createMachine({
    id: 'schedule',
    context: ({ input }) => ({
      ...input,
      decidedUntil: input.createdAt,
      pending: [],
      live: [],
      cancel: [],
      failures: 0,
      mustPlan: false,
    }),
    initial: 'planning',
    on: {
      'schedule.jobBegan': { actions: 'noteJob' },
      'schedule.jobEnded': { actions: 'noteEnd' },
    },
    states: {
      planning: {
        meta: { waits: 'until its times are compared with the clock' },
        entry: 'plan',
        on: {
          'schedule.planned': [
            { guard: 'isStale' },
            { guard: 'hasNoTimes', target: 'off', actions: 'take' },
            { guard: 'mayStart', target: 'starting', actions: 'take' },
            { target: 'waiting', actions: 'take' },
          ],
          'schedule.jobEnded': [
            { guard: 'failsTooOften', target: 'paused', actions: 'noteEnd' },
            { actions: 'noteEnd' },
          ],
          'schedule.configured': { target: 'planning', reenter: true, actions: 'configure' },
          'schedule.removed': remove,
          'effect.givenUp': 'paused',
        },
      },
      waiting: {
        meta: { waits: 'for its next time' },
        on: {
          'schedule.due': 'planning',
          'schedule.jobEnded': [
            { guard: 'failsTooOften', target: 'paused', actions: 'noteEnd' },
            { guard: 'wasLastJob', target: 'starting', actions: 'noteEnd' },
            { actions: 'noteEnd' },
          ],
          'schedule.configured': configure,
          'schedule.removed': remove,
        },
      },
      starting: {
        meta: { waits: 'until the job of a time is created' },
        entry: 'start',
        on: {
          'schedule.started': [
            { guard: 'failsTooOften', target: 'paused', actions: 'finishStart' },
            { guard: 'hasNext', target: 'starting', reenter: true, actions: 'finishStart' },
            { guard: 'mustPlan', target: 'planning', actions: 'finishStart' },
            { target: 'waiting', actions: 'finishStart' },
          ],
          'schedule.refused': [
            { guard: 'failsTooOften', target: 'paused', actions: 'refuseStart' },
            { guard: 'hasNext', target: 'starting', reenter: true, actions: 'refuseStart' },
            { guard: 'mustPlan', target: 'planning', actions: 'refuseStart' },
            { target: 'waiting', actions: 'refuseStart' },
          ],
          'effect.givenUp': [
            { guard: 'failsTooOften', target: 'paused', actions: 'refuseStart' },
            { guard: 'hasNext', target: 'starting', reenter: true, actions: 'refuseStart' },
            { guard: 'mustPlan', target: 'planning', actions: 'refuseStart' },
            { target: 'waiting', actions: 'refuseStart' },
          ],
          'schedule.due': { actions: 'rememberToPlan' },
          'schedule.configured': { actions: 'configureLater' },
          'schedule.removed': { actions: 'removeLater' },
        },
      },
      paused: {
        meta: { waits: 'for a person: it has failed three times in a row' },
        entry: ['dropPending', cancelTimer],
        on: {
          'schedule.resume': { target: 'planning', actions: 'resume' },
          'schedule.configured': configure,
          'schedule.removed': remove,
        },
      },
      off: {
        meta: { waits: 'until it is configured, or switched on' },
        entry: cancelTimer,
        on: {
          'schedule.configured': [{ guard: 'isAsBefore', target: 'planning' }, configure],
          'schedule.removed': { actions: 'remove' },
        },
      },
    },
    options: { maxIterations: MAX_MICROSTEPS },
  }),
);
