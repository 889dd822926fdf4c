import { SESSION_FAULTS } from '../../src/base/errors/sessionFaults.ts';
import { shorten } from '../../src/base/text/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/base/limits/jobLimits.ts';
import { toEventTime } from '../kit/eventTime.ts';
import { onJobEvent, type JobChange } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { createParkRecord } from './personChanges.ts';
import { NEEDS_PERSON_STATUS, continueSameVisit } from './setbackChanges.ts';
import { describeOutage, computeOutageRetry, describeRepair } from './rules/outage.ts';

/** Why a job cannot continue. */
interface Hindrance {
  error: string;
  needsPerson: boolean;
  /** Which consecutive waits are counted. */
  count: 'outages' | 'faults';
}

function findHindrance({ stop }: JobContext, event: JobEvent): Hindrance {
  if (event.type === 'effect.givenUp')
    return { error: event.error, needsPerson: false, count: 'outages' };
  if (event.type === 'phase.unprepared')
    return { error: event.message, needsPerson: true, count: 'outages' };
  const needsPerson = stop?.fault === undefined || SESSION_FAULTS[stop.fault].person;
  const error = stop?.error ?? 'its session ended with an error and gave no reason.';
  return { error, needsPerson, count: 'faults' };
}

/** Parks for a developer, who lets the same visit continue. */
const parkForRepair = (context: JobContext, event: JobEvent, error: string) => ({
  ...continueSameVisit(context, context.session === 0 ? undefined : 'repair'),
  ...createParkRecord(context, event, 'developer', describeRepair(context, error, null)),
  status: NEEDS_PERSON_STATUS,
});

export const repairChanges = {
  /** Keeps the conversation that the visit continues. */
  waitForOutage: (context) => ({ context: continueSameVisit(context, context.continued?.why) }),
  /** Continues the conversation of the session that ended with an error. */
  waitForRepair: (context) => ({ context: continueSameVisit(context, 'repair') }),
  parkForOutage: (context, event) => {
    const { setbacks } = context;
    const { error, needsPerson, count } = findHindrance(context, event);
    const before = setbacks[count] ?? 0;
    const until = new Date(computeOutageRetry(toEventTime(context, event), before)).toISOString();
    const text = needsPerson ? describeRepair(context, error, until) : describeOutage(until, error);
    const { parked } = createParkRecord(context, event, 'outage', text);
    return {
      context: {
        parked: { ...parked, until, ...(needsPerson ? { needsPerson } : {}) },
        setbacks: { ...setbacks, [count]: before + 1 },
        ...(needsPerson ? { status: NEEDS_PERSON_STATUS } : {}),
      },
    };
  },
  parkUnprepared: onJobEvent(['phase.unprepared'], (context, event) => ({
    context: parkForRepair(context, event, event.message),
  })),
  parkBroken: (context, event) => ({
    context: parkForRepair(context, event, findHindrance(context, event).error),
  }),
  /** Keeps the new table although the phase cannot run: reruns are checked against it. */
  parkPhaseGone: onJobEvent(['phase.prepared'], (context, event) => {
    const { phase, workflow: before } = context;
    const { phases } = event.workflow;
    const names = phases.map(({ name }) => name).join(', ') || 'no phases';
    const error = shorten(
      `phase ${phase} is no longer in the workflow, which has ${names}; put it back, rerun one of these (svc rerun ${context.id} <phase>) or cancel the job`,
      MAX_KEPT_REASON_CHARS,
    );
    return {
      context: {
        ...parkForRepair(context, event, error),
        workflow: phases.length > 0 ? event.workflow : before,
      },
    };
  }),
  parkTooLarge: (context, event) => ({
    context: parkForRepair(
      context,
      event,
      'the table of the workflow is too large; shorten its obligations or use fewer phases',
    ),
  }),
} satisfies Record<string, JobChange>;
