import type { Setback } from '../../src/domain/stopReasons.ts';
import { by, type JobChange } from './change.ts';
import { timeOf } from '../kit/eventTime.ts';
import type { JobContext } from './jobContext.ts';
import { goAgain } from './phaseChanges.ts';
import { park } from './personChanges.ts';
import { givenBack, NO_SETBACKS } from './rules/contextOf.ts';
import { MAX_DEATHS } from './rules/limits.ts';
import { outageText, outageUntil } from './rules/outage.ts';
import { quotaText, quotaUntil } from './rules/quota.ts';

const STATUS = 'awaiting-developer-input';

/** Parks for a developer; a resume, or a message, runs the phase again. */
const parkAgain = (context: JobContext, event: { at?: number }, reason: string) => ({
  context: {
    ...givenBack(context),
    ...goAgain({ ...context, ...givenBack(context) }, false),
    ...park(context, event, 'developer', reason),
    status: STATUS,
  },
});

/**
 * The same visit continues: it prepares again, and its session continues those that the setback cut
 * off.
 */
const inSameVisit = (context: JobContext, setback?: Setback) => {
  const back = givenBack(context);
  return { ...back, ...goAgain({ ...context, ...back }, true, setback) };
};

/** Setbacks: sessions, and their preparation, that did not come to an end of their own. */
export const setbackChanges = {
  noteProgress: ({ setbacks }) => ({
    context: setbacks === NO_SETBACKS ? {} : { setbacks: NO_SETBACKS },
  }),
  /** The same visit prepares again; what it continues stays. */
  waitForOutage: (context) => ({ context: inSameVisit(context, context.continued?.why) }),
  waitForQuota: (context) => ({ context: inSameVisit(context, 'quota') }),
  startAgain: (context) => ({
    context: {
      ...inSameVisit(context, 'died'),
      setbacks: { ...context.setbacks, deaths: context.setbacks.deaths + 1 },
    },
  }),
  parkForQuota: (context, event) => {
    const { stop, setbacks } = context;
    const now = timeOf(context, event);
    const until = new Date(quotaUntil(now, stop?.resetsAt ?? null, setbacks.quotas)).toISOString();
    const parked = park(context, event, 'quota', quotaText(until, stop?.error ?? null)).parked;
    return {
      context: {
        parked: { ...parked, until },
        setbacks: { ...setbacks, quotas: setbacks.quotas + 1 },
      },
    };
  },
  parkForOutage: by(['effect.givenUp'], (context, event) => {
    const { setbacks } = context;
    const { outages = 0 } = setbacks;
    const until = new Date(outageUntil(timeOf(context, event), outages)).toISOString();
    const { parked } = park(context, event, 'outage', outageText(until, event.error));
    return {
      context: { parked: { ...parked, until }, setbacks: { ...setbacks, outages: outages + 1 } },
    };
  }),
  parkAgentDied: (context, event) =>
    parkAgain(
      context,
      event,
      `the agent's process of phase ${context.phase} died ${MAX_DEATHS + 1} times without progress: ${context.stop?.error ?? 'it was killed'} Resume, or a message, runs the phase again.`,
    ),
  parkAgentStuck: (context, event) =>
    parkAgain(
      context,
      event,
      `the agent of phase ${context.phase} cannot continue: ${context.stop?.error ?? 'it gave no reason.'} The branch stays as it is. Resume, or a message, runs the phase again.`,
    ),
  parkSessionsUsedUp: (context, event) => ({
    context: {
      ...park(
        context,
        event,
        'developer',
        `phase ${context.phase} paused its turn after ${context.limits.sessionsPerVisit} new sessions without an end: resume takes the next step, a message runs the phase again`,
      ),
      status: STATUS,
      given: null,
    },
  }),
  parkGivenUp: by(['effect.givenUp'], (context, event) => {
    const why =
      event.why === 'restarts-without-progress'
        ? 'was cut off by restarts without progress'
        : 'failed';
    return parkAgain(
      context,
      event,
      `${event.effect} of phase ${context.phase} ${why} (${event.attempts} attempts): ${event.error}`,
    );
  }),
} satisfies Record<string, JobChange>;
