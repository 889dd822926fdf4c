import { by, type JobChange } from './change.ts';
import { timeOf } from '../kit/eventTime.ts';
import type { JobContext } from './jobContext.ts';
import { goAgain } from './phaseChanges.ts';
import { park } from './personChanges.ts';
import { givenBack } from './rules/contextOf.ts';
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

/** Parks of jobs whose session, or its preparation, did not come to an end of its own. */
export const setbackChanges = {
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
