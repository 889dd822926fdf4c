import { findNamedRule } from '../../src/base/agents/guardrails.ts';
import type { Setback } from '../../src/base/jobs/stopReasons.ts';
import { onJobEvent, type JobChange, type JobEffect } from './change.ts';
import type { JobContext } from './jobContext.ts';
import { goAgain } from './phaseChanges.ts';
import { createParkRecord } from './personChanges.ts';
import { restoreKickoffContent, NO_SETBACKS } from './rules/createJobContext.ts';
import { MAX_DEATHS } from './rules/limits.ts';
import { describeInvariantRefusal } from './rules/describeInvariantRefusal.ts';
import { findVisitRefusal, alignMonitors, mergePreparedTable } from './rules/monitors.ts';
import { describeQuotaWait, deriveQuotaWait } from './rules/quota.ts';

/** Timer of a job whose account is unknown. */
export const QUOTA_TIMER = 'quota';

const setQuotaTimer = (due: number): JobEffect => ({
  type: 'timer.set',
  params: { name: QUOTA_TIMER, due, event: { type: 'quota.reset' } },
});

export const NEEDS_PERSON_STATUS = 'awaiting-developer-input';

export const BUDGET_TIMER = 'budget';

/** The error of a held session, unless it is the rule's refusal itself. */
const describeErrorBesideRule = ({ stop }: Pick<JobContext, 'stop'>): string => {
  if (stop?.reason !== 'error' || stop.error === null) return '';
  const rule = findNamedRule(stop.held ?? '');
  const isRefusal = rule !== null && stop.error.includes(`guardrail ${rule}: `);
  return isRefusal ? '' : ` Its session ended with an error: ${stop.error}`;
};

/** Parks for a developer; a resume or message reruns the phase. */
const parkForRerun = (context: JobContext, event: { at?: number }, reason: string) => ({
  context: {
    ...restoreKickoffContent(context),
    ...goAgain({ ...context, ...restoreKickoffContent(context) }, false),
    ...createParkRecord(context, event, 'developer', reason),
    status: NEEDS_PERSON_STATUS,
  },
});

export const continueSameVisit = (context: JobContext, setback?: Setback) => {
  const back = restoreKickoffContent(context);
  return { ...back, ...goAgain({ ...context, ...back }, true, setback) };
};

export const setbackChanges = {
  noteProgress: ({ setbacks }) => ({
    context: setbacks === NO_SETBACKS ? {} : { setbacks: NO_SETBACKS },
  }),
  waitForQuota: (context) => ({ context: continueSameVisit(context, 'quota') }),
  /** Continues the visit when the budget is raised or its next window begins. */
  waitForBudget: (context) => ({ context: continueSameVisit(context, 'budget') }),
  /** Prepares the same visit later; what it continues stays. */
  postpone: (context) => ({ context: continueSameVisit(context, context.continued?.why) }),
  /** Continues the visit when slots are granted again. */
  waitForDisk: (context) => ({ context: continueSameVisit(context, 'disk') }),
  startAgain: (context) => ({
    context: {
      ...continueSameVisit(context, 'died'),
      setbacks: { ...context.setbacks, deaths: context.setbacks.deaths + 1 },
    },
  }),
  /** The account wakes the job; if none is known, a timer does. */
  parkForQuota: (context, event) => {
    const { setbacks } = context;
    const wait = deriveQuotaWait(context, event);
    const until = wait.until === null ? {} : { until: new Date(wait.until).toISOString() };
    const { parked } = createParkRecord(context, event, 'quota', describeQuotaWait(wait));
    const { pool: accountId } = wait;
    const effects: JobEffect[] =
      accountId !== null
        ? [{ type: 'actor.send', params: { to: accountId, event: { type: 'quota.waits' } } }]
        : wait.until === null
          ? []
          : [setQuotaTimer(wait.until)];
    return {
      context: {
        parked: { ...parked, ...until, ...(accountId === null ? {} : { pool: accountId }) },
        setbacks: { ...setbacks, quotas: setbacks.quotas + 1 },
        queuedAt: null,
      },
      effects,
    };
  },
  parkForBudget: (context, event) => {
    const overrun = event.type === 'budget.exceeded' ? event.exceeded : context.stop?.budget;
    if (!overrun) throw new Error('parkForBudget without a budget');
    const { parked } = createParkRecord(context, event, 'budget', overrun.text);
    const { until } = overrun;
    return {
      context: {
        parked: {
          ...parked,
          ...(until === null ? {} : { until: new Date(until).toISOString() }),
          exceeded: overrun,
        },
        queuedAt: null,
        // By the time the job continues, its account may have met another limit.
        ...(typeof context.admitted === 'string' ? { admitted: false } : {}),
      },
    };
  },
  /** Only the budget of a day or week has a next window. */
  setBudgetTimer: ({ parked }) =>
    parked?.until === undefined
      ? {}
      : {
          effects: [
            {
              type: 'timer.set',
              params: {
                name: BUDGET_TIMER,
                due: Date.parse(parked.until),
                event: { type: 'budget.renewed' },
              },
            },
          ],
        },
  adopt: onJobEvent(['quota.adopted'], ({ parked }, { pool: accountId }) => ({
    context: { parked: parked && { ...parked, pool: accountId } },
    effects: [{ type: 'timer.cancel', params: { name: QUOTA_TIMER } }],
  })),
  /** Only an account or a person vouches for the next session; a timer does not. */
  admit: onJobEvent(['quota.reset', 'job.resume'], (_context, event) => {
    if (event.type === 'job.resume') return { context: { admitted: true } };
    if (event.pool === undefined) return {};
    return { context: { admitted: event.probe ? 'probe' : 'pool' } };
  }),
  /** This preparation may have read the rules for the first time. */
  parkRefused: onJobEvent(['phase.prepared'], (context, event) => {
    const refusal = findVisitRefusal(context, event.workflow);
    if (!refusal) throw new Error('parkRefused without a rule that refuses');
    const workflow = mergePreparedTable(context, event.workflow);
    const monitors = alignMonitors(context.monitors, workflow.invariants ?? []);
    const { context: parking } = parkForRerun(
      context,
      event,
      `phase ${context.phase} cannot begin: ${describeInvariantRefusal(refusal)}`,
    );
    return {
      context: {
        ...parking,
        workflow,
        ...(monitors ? { monitors: { ...monitors, held: refusal.rule.id } } : {}),
      },
    };
  }),
  parkAgentDied: (context, event) =>
    parkForRerun(
      context,
      event,
      `the agent's process of phase ${context.phase} died ${MAX_DEATHS + 1} times without progress: ${context.stop?.error ?? 'it was killed'} Resume, or a message, runs the phase again.`,
    ),
  parkHeld: (context, event) =>
    parkForRerun(
      context,
      event,
      `${context.stop?.held ?? 'a guardrail holds the job'}. Resume, or a message, runs the phase again.${describeErrorBesideRule(context)}`,
    ),
  parkAgentStuck: (context, event) =>
    parkForRerun(
      context,
      event,
      `the agent of phase ${context.phase} cannot continue: ${context.stop?.error ?? 'it gave no reason.'} The branch stays as it is. Resume, or a message, runs the phase again.`,
    ),
  parkSessionsUsedUp: (context, event) => ({
    context: {
      ...createParkRecord(
        context,
        event,
        'developer',
        `phase ${context.phase} paused its turn after ${context.limits.sessionsPerVisit} new sessions without an end: resume takes the next step, a message runs the phase again`,
      ),
      status: NEEDS_PERSON_STATUS,
      given: null,
    },
  }),
  parkGivenUp: onJobEvent(['effect.givenUp'], (context, event) => {
    const why =
      event.why === 'restarts-without-progress'
        ? 'was cut off by restarts without progress'
        : 'failed';
    return parkForRerun(
      context,
      event,
      `${event.effect} of phase ${context.phase} ${why} (${event.attempts} attempts): ${event.error}; resume, or a message, runs the phase again`,
    );
  }),
} satisfies Record<string, JobChange>;
