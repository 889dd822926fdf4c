import type { EventOf } from '../jobEvents.ts';
import { endVisit, writeLogLine } from '../log.ts';
import { buildVisitPatch } from '../rows.ts';
import { jobSetup } from '../jobSetup.ts';
import { STOP_OVERDUE_MS } from '../rules/limits.ts';
import { applyFallback } from '../rules/fallback.ts';
import { addProcessNote } from '../rules/explainFlag.ts';
import { findPhase } from '../rules/phases.ts';
import { judging } from './judging.ts';
import { inboxTransitions } from './inboxTransitions.ts';
import { buildNextRoutes } from './buildNextRoutes.ts';
import { sessionTools } from './sessionTools.ts';
import { settling } from './settling.ts';
import { endOnUndecidedWrite, noteUndecidedWrite } from './writeAnswers.ts';

export const STOP_TIMER = 'stop';

const preparing = jobSetup.createStateConfig({
  meta: { waits: 'for the workspace and the overlay of this phase' },
  entry: [
    'beginVisit',
    {
      type: 'phase.prepare',
      params: ({ context: { visit, phase, workflowPath, params } }) => ({
        visit,
        phase,
        workflowPath,
        params,
      }),
    },
  ],
  on: {
    ...endOnUndecidedWrite,
    'phase.prepared': [
      { guard: 'phaseGone', target: '#job.parked.developer', actions: 'parkPhaseGone' },
      { guard: 'workflowTooLarge', target: '#job.parked.developer', actions: 'parkTooLarge' },
      {
        guard: 'approvalSkipped',
        target: 'preparing',
        reenter: true,
        actions: [
          endVisit('approval-missing'),
          'goToCheckpoint',
          writeLogLine('approval', ({ next }) => `phase ${next?.phase} has to be approved first`),
        ],
      },
      {
        guard: 'beginRefused',
        target: '#job.parked.developer',
        actions: [endVisit('invariant'), 'parkRefused'],
      },
      {
        guard: 'preparedAgentless',
        target: 'settling',
        actions: 'storePrepared',
      },
      {
        guard: 'preparedTooLate',
        target: '#job.parked.paused',
        actions: [endVisit('paused'), 'pausePreparing'],
      },
      {
        guard: 'preparedReady',
        target: 'inSession',
        actions: 'storePrepared',
      },
    ],
    'phase.unprepared': [
      { guard: 'preparationRetries', target: '#job.parked.outage', actions: 'waitForOutage' },
      {
        guard: 'preparationAnswered',
        target: '#job.parked.developer',
        actions: 'parkUnprepared',
      },
    ],
    'phase.postponed': {
      guard: 'preparationAnswered',
      target: '#job.queued',
      actions: [
        'postpone',
        writeLogLine<EventOf<'phase.postponed'>>(
          'control',
          (_context, { disk }) => `the phase begins later: ${disk}`,
        ),
      ],
    },
    'effect.givenUp': [
      { guard: 'outagePassable', target: '#job.parked.outage', actions: 'waitForOutage' },
      {
        guard: 'givenUpPreparation',
        target: '#job.parked.developer',
        actions: [endVisit('given-up'), 'parkGivenUp'],
      },
    ],
    'until.reached': {
      guard: 'limitOver',
      target: '#job.parked.paused',
      actions: [endVisit('paused'), 'pausePreparing'],
    },
    'job.pause': { target: '#job.parked.paused', actions: [endVisit('paused'), 'pausePreparing'] },
    'job.cancel': { target: '#job.ended.cancelled', actions: 'storeReason' },
  },
});

const inSession = jobSetup.createStateConfig({
  meta: { waits: 'for the agent to end its turn' },
  entry: [
    'giveWarnings',
    'beginSession',
    {
      type: 'session.open',
      params: ({ context }) => {
        const { visit, session, workflow, phase, workflowPath, given, inbox, continued } = context;
        const definition = findPhase(workflow, phase);
        if (!definition || !given) throw new Error(`phase ${phase} has no session to open`);
        const { inboxFrom, eventKey } = given;
        const prompt = addProcessNote(context, given.prompt);
        return {
          visit,
          session,
          phase: applyFallback(definition, context),
          workflowPath,
          inboxFrom,
          inboxTo: inbox.drained,
          prompt,
          eventKey,
          ...(continued ? { continued } : {}),
        };
      },
    },
    {
      type: 'row.patch',
      params: ({ context }) => buildVisitPatch(context, { sessions: context.session }),
    },
  ],
  on: {
    ...sessionTools,
    ...noteUndecidedWrite,
    'session.ended': {
      guard: 'currentSession',
      target: 'settling',
      actions: ['storeStop', 'storeWork', 'recordUsage'],
    },
    'effect.givenUp': {
      guard: 'givenUpSession',
      target: '#job.parked.developer',
      actions: [endVisit('given-up'), 'parkGivenUp'],
    },
    'job.message': {
      actions: [
        'receiveMessage',
        {
          type: 'message.offer',
          params: ({ context: { visit, session, inbox }, event: { id } }) => ({
            visit,
            session,
            n: inbox.arrived,
            id,
          }),
        },
        writeLogLine<EventOf<'job.message'>>(
          'message',
          (_context, { author }) => `message of ${author} for the agent`,
        ),
      ],
    },
    'job.pause': {
      target: 'stopping',
      actions: [
        'askPause',
        writeLogLine(
          'control',
          'paused by a developer: the session is interrupted and its input is closed',
        ),
      ],
    },
    'job.cancel': { target: 'stopping', actions: 'askCancel' },
  },
});

const stopping = jobSetup.createStateConfig({
  meta: { waits: 'for the running session to end, so that the job can be paused or cancelled' },
  entry: [
    {
      type: 'session.stop',
      params: ({ context: { visit, session, stopFor } }) => ({
        visit,
        session,
        why: stopFor === 'cancel' ? 'cancel' : 'pause',
      }),
    },
    {
      type: 'timer.set',
      params: ({ event }) => ({
        name: STOP_TIMER,
        due: event.at + STOP_OVERDUE_MS,
        event: { type: 'stop.overdue' },
      }),
    },
  ],
  exit: { type: 'timer.cancel', params: { name: STOP_TIMER } },
  on: {
    ...noteUndecidedWrite,
    'session.ended': { guard: 'currentSession', target: 'stopped', actions: 'recordUsage' },
    'stop.overdue': {
      target: 'stopped',
      actions: writeLogLine(
        'control',
        'the session has not ended in time; the job no longer waits for it',
      ),
    },
    'effect.givenUp': { guard: 'givenUpSession', target: 'stopped' },
    'job.cancel': { guard: 'stoppingToPause', actions: 'askCancel' },
  },
});

/** Eventless. */
const stopped = jobSetup.createStateConfig({
  always: [
    { guard: 'stoppingToCancel', target: '#job.ended.cancelled', actions: 'takeBack' },
    // A pause does not undo these: the phase would restart as if no person were needed.
    { guard: 'escalateAsked', target: '#job.ended.escalated', actions: 'escalate' },
    { target: '#job.parked.paused', actions: 'pauseStopped' },
  ],
});

/** Eventless. */
const routing = jobSetup.createStateConfig({
  entry: 'countVisit',
  always: [
    {
      guard: 'isLooping',
      target: '#job.parked.developer',
      actions: [endVisit('no-progress'), 'parkLoop'],
    },
    ...buildNextRoutes('#job.working.preparing'),
  ],
});

export const working = jobSetup.createStateConfig({
  tags: 'slot',
  initial: 'preparing',
  on: inboxTransitions,
  states: { preparing, inSession, settling, judging, routing, stopping, stopped },
});
