import { by, type JobChange } from './change.ts';
import { timeOf } from '../kit/eventTime.ts';
import { goAgain } from './phaseChanges.ts';
import { park } from './personChanges.ts';
import { givenBack } from './rules/contextOf.ts';
import { MAX_DEATHS } from './rules/limits.ts';
import { quotaText, quotaUntil } from './rules/quota.ts';

/** Parks of jobs whose session did not come to an end of its own. */
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
  parkAgentDied: (context, event) => {
    const back = { ...context, ...givenBack(context) };
    return {
      context: {
        ...givenBack(context),
        ...goAgain(back, false),
        ...park(
          context,
          event,
          'developer',
          `the agent's process of phase ${context.phase} died ${MAX_DEATHS + 1} times without progress: ${context.stop?.error ?? 'it was killed'} Resume, or a message, runs the phase again.`,
        ),
        status: 'awaiting-developer-input',
      },
    };
  },
  parkAgentStuck: (context, event) => {
    const back = { ...context, ...givenBack(context) };
    const why = context.stop?.error ?? 'it gave no reason.';
    return {
      context: {
        ...givenBack(context),
        ...goAgain(back, false),
        ...park(
          context,
          event,
          'developer',
          `the agent of phase ${context.phase} cannot continue: ${why} The branch stays as it is. Resume, or a message, runs the phase again.`,
        ),
        status: 'awaiting-developer-input',
      },
    };
  },
  parkSessionsUsedUp: (context, event) => ({
    context: {
      ...park(
        context,
        event,
        'developer',
        `phase ${context.phase} paused its turn after ${context.limits.sessionsPerVisit} new sessions without an end: resume takes the next step, a message runs the phase again`,
      ),
      status: 'awaiting-developer-input',
      given: null,
    },
  }),
  parkGivenUp: by(['effect.givenUp'], (context, event) => {
    const back = { ...context, ...givenBack(context) };
    const why =
      event.why === 'restarts-without-progress'
        ? 'was cut off by restarts without progress'
        : 'failed';
    return {
      context: {
        ...givenBack(context),
        ...goAgain(back, false),
        ...park(
          context,
          event,
          'developer',
          `${event.effect} of phase ${context.phase} ${why} (${event.attempts} attempts): ${event.error}`,
        ),
        status: 'awaiting-developer-input',
      },
    };
  }),
} satisfies Record<string, JobChange>;
