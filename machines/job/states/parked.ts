import { endVisit, writeLogLine } from '../log.ts';
import type { JobContext } from '../jobContext.ts';
import { jobSetup } from '../jobSetup.ts';
import { BUDGET_TIMER, QUOTA_TIMER } from '../setbackChanges.ts';
import { inboxTransitions, receiveMessage, receivePrEnd } from './inboxTransitions.ts';
import { logParkReason, logRerun, logResume } from './parkedLog.ts';
import { halted, subRuns } from './parkedSubRuns.ts';
import { awaitRoutes, buildPhaseOverRoutes } from './buildPhaseOverRoutes.ts';
import { buildNextRoutes } from './buildNextRoutes.ts';
import { endOnUndecidedWrite } from './writeAnswers.ts';

/** The reason as far as the chart alone knows it; `describeCurrentWait` adds names. */
export const WAITS_FOR_EVENT =
  'for a review or merge of one of its pull requests, or a comment on one of its tickets';

export const OUTAGE_TIMER = 'outage';

const reopened = {
  'subRuns.reopened': [
    {
      guard: 'waitsAgainAtOnce',
      target: 'subRuns',
      actions: [
        'noteReopened',
        writeLogLine('wake', 'a sub-run is to run again: the job goes back to waiting'),
      ],
    },
    { guard: 'coordinates', actions: 'noteReopened' },
  ],
} as const;

const approval = jobSetup.createStateConfig({
  meta: {
    waits: 'for you to approve or reject what the phase has shown, or to send a message',
  },
  entry: [endVisit('approval'), 'parkForApproval', logParkReason],
  on: {
    'job.resume': { guard: 'approvalFits', target: 'answered', actions: 'keepEventKey' },
    'job.message': { target: '#job.queued', actions: [...receiveMessage, 'goToReader'] },
    ...reopened,
  },
});

/** Eventless. */
const answered = jobSetup.createStateConfig({
  always: [
    {
      guard: 'rejected',
      target: '#job.queued',
      actions: [
        writeLogLine('approval', ({ phase }) => `phase ${phase} rejected by developer`),
        'reject',
      ],
    },
    // Approves the plan of a phase that then waits for its sub-runs.
    { guard: 'subRunsAreOpen', target: 'subRuns', actions: ['approve', 'takeLimit'] },
    { target: 'released', actions: 'approve' },
  ],
});

const come = writeLogLine('wake', 'the awaited event has already arrived');

/** What wakes a job that awaits something. */
const awaiting = {
  always: [
    { guard: 'wokenUnapproved', target: 'approval', actions: ['holdWoken', come] },
    { guard: 'wokenAlready', target: '#job.queued', actions: ['wakeByInbox', come] },
  ],
  on: {
    'forge.event': [
      { guard: 'wakesUnapproved', target: 'approval', actions: [...receivePrEnd, 'holdWoken'] },
      { guard: 'wakesAsOver', target: '#job.queued', actions: [...receivePrEnd, 'wakeByEvent'] },
      { guard: 'wakes', target: '#job.queued', actions: ['receiveEvent', 'wakeByEvent'] },
    ],
    'job.message': { target: '#job.queued', actions: [...receiveMessage, 'wakeByPerson'] },
    'job.resume': { target: '#job.queued', actions: ['wakeByPerson', logResume] },
  },
} as const;

const event = jobSetup.createStateConfig({
  meta: { waits: WAITS_FOR_EVENT },
  entry: 'parkForEvent',
  always: awaiting.always,
  on: { ...awaiting.on, 'job.pause': { target: 'paused', actions: 'pauseAwaiting' }, ...reopened },
});

const external = jobSetup.createStateConfig({
  meta: {
    waits: 'for you to report, by a resume or a message, what the agent waits for outside of svc',
  },
  entry: 'parkForExternal',
  always: awaiting.always,
  on: { ...awaiting.on, 'job.pause': { target: 'paused', actions: 'pauseExternal' }, ...reopened },
});

const readParkedUntil = ({ parked }: JobContext, { at }: { at: number }): number =>
  parked?.until === undefined ? at : Date.parse(parked.until);

/** A pause ends waits that would be over by themselves. */
const pauses = {
  'until.reached': { guard: 'limitOver', target: 'paused', actions: 'pauseInVisit' },
  'job.pause': { target: 'paused', actions: 'pauseInVisit' },
} as const;

const quota = jobSetup.createStateConfig({
  meta: {
    waits: 'for the account of its model to take requests again; a resume retries immediately',
  },
  entry: ['parkForQuota', logParkReason],
  exit: { type: 'timer.cancel', params: { name: QUOTA_TIMER } },
  on: {
    'quota.reset': {
      target: '#job.queued',
      actions: ['admit', writeLogLine('wake', 'the time that the endpoint asked for is over')],
    },
    'quota.adopted': { actions: 'adopt' },
    'job.resume': { target: '#job.queued', actions: ['admit', 'keepResumeKey', logResume] },
    ...pauses,
  },
});

const budget = jobSetup.createStateConfig({
  meta: {
    waits:
      'for a budget: a person raises it, or its next day or week begins; the visit then continues',
  },
  entry: ['parkForBudget', 'setBudgetTimer', logParkReason],
  exit: { type: 'timer.cancel', params: { name: BUDGET_TIMER } },
  on: {
    'budget.renewed': {
      target: '#job.queued',
      actions: writeLogLine('wake', 'the budget was raised, or its next window has begun'),
    },
    'job.resume': { target: '#job.queued', actions: ['keepResumeKey', logResume] },
    ...pauses,
  },
});

const outage = jobSetup.createStateConfig({
  meta: {
    waits:
      'for a service that could not be reached, such as the forge, or for what a person has to repair; it then tries again by itself, and a resume tries immediately',
  },
  entry: [
    'parkForOutage',
    {
      type: 'timer.set',
      params: ({ context, event }) => ({
        name: OUTAGE_TIMER,
        due: readParkedUntil(context, event),
        event: { type: 'outage.over' },
      }),
    },
    logParkReason,
  ],
  exit: { type: 'timer.cancel', params: { name: OUTAGE_TIMER } },
  on: {
    'outage.over': {
      target: '#job.queued',
      actions: writeLogLine('wake', 'what could not be reached is tried again'),
    },
    'job.resume': { target: '#job.queued', actions: ['keepResumeKey', logResume] },
    ...pauses,
  },
});

/** A message wakes a job between two waits for an event. */
const messageWakes = {
  guard: 'pausedInWait',
  target: '#job.queued',
  actions: [...receiveMessage, 'wakeByPerson'],
} as const;

const developer = jobSetup.createStateConfig({
  meta: { waits: 'for you: resume, or a message' },
  entry: logParkReason,
  on: {
    'job.resume': [
      { guard: 'pausedWhileAwaiting', target: 'event', actions: ['takeLimit', logResume] },
      { guard: 'nextIsSet', target: '#job.queued', actions: ['keepResumeKey', logResume] },
      { guard: 'checkpointHolds', target: 'approval', actions: logResume },
      { target: 'released', actions: ['keepEventKey', logResume] },
    ],
    'job.message': [
      messageWakes,
      { guard: 'nextIsSet', target: '#job.queued', actions: receiveMessage },
      { target: '#job.queued', actions: [...receiveMessage, 'goToReader'] },
    ],
    ...reopened,
  },
});

const paused = jobSetup.createStateConfig({
  meta: { waits: 'for you to resume it, or to send a message' },
  entry: ['parkPaused', logParkReason],
  on: {
    'job.resume': [
      { guard: 'pausedWhileAwaiting', target: 'event', actions: ['takeLimit', logResume] },
      { guard: 'pausedWhileExternal', target: 'external', actions: ['takeLimit', logResume] },
      { guard: 'pausedWhileSubRuns', target: 'subRuns', actions: ['takeLimit', logResume] },
      {
        guard: 'pausedWhileRating',
        target: 'dismissed',
        actions: ['keepEventKey', 'takeLimit', logResume],
      },
      { target: '#job.queued', actions: ['keepResumeKey', logResume] },
    ],
    'job.message': [
      messageWakes,
      {
        guard: 'pausedWhileSubRuns',
        target: 'subRuns',
        actions: ['takeLimit', ...receiveMessage],
      },
      {
        guard: 'pausedWhileRating',
        target: '#job.queued',
        actions: [...receiveMessage, 'goToReader'],
      },
      { target: '#job.queued', actions: receiveMessage },
    ],
  },
});

const flagged = jobSetup.createStateConfig({
  meta: {
    waits:
      'for you: the decision layer has flagged the phase; a resume continues as it is, a message runs the phase again',
  },
  entry: ['parkFlagged', logParkReason],
  on: {
    'job.resume': {
      target: 'dismissed',
      actions: ['keepEventKey', 'dismissFlag', 'takeLimit', logResume],
    },
    'job.message': { target: '#job.queued', actions: [...receiveMessage, 'goToReader'] },
    ...reopened,
  },
});

/** Eventless: what would have followed the session without the flag or pause. */
const dismissed = jobSetup.createStateConfig({
  always: [
    { guard: 'rejected', target: '#job.queued', actions: 'reject' },
    ...awaitRoutes,
    ...buildPhaseOverRoutes('#job.queued', 'released'),
  ],
});

/** Eventless: a person continued the phase. It queues for a slot; the gate may end the job. */
const released = jobSetup.createStateConfig({ always: buildNextRoutes('#job.queued') });

/**
 * Waits for the outside; costs a row and no memory. `queued` and `ended` clear `parked` with their other fields: an action
 * of its own would copy the context once more at each wake.
 */
export const parked = jobSetup.createStateConfig({
  initial: 'paused',
  on: {
    ...inboxTransitions,
    ...endOnUndecidedWrite,
    'job.cancel': { target: '#job.ended.cancelled', actions: 'storeReason' },
    'job.rerun': {
      guard: 'rerunFits',
      target: '#job.queued',
      actions: ['rerun', endVisit('rerun'), logRerun],
    },
  },
  states: {
    approval,
    answered,
    event,
    external,
    quota,
    budget,
    outage,
    developer,
    subRuns,
    halted,
    flagged,
    dismissed,
    paused,
    released,
  },
});
