import { endVisit, writeLogLine } from '../log.ts';
import { jobSetup } from '../jobSetup.ts';
import { awaitRoutes, buildPhaseOverRoutes } from './buildPhaseOverRoutes.ts';

/**
 * Eventless: what follows a finished session, or a phase without one. Signals in order of
 * precedence: escalate, await_event, switch_workflow, goto_phase, request_new_session. Errors come
 * after escalate, since a request for a person, perhaps about an undecided write, must not be lost.
 * So do errors of a session held by a rule: programs take the refusal for a failure and end with
 * it. Going back to wait for sub-runs comes before other signals: resumePhase reruns and repeats
 * its requests. A switch or goto survives a checkpoint; `buildNextRoutes` applies it afterwards.
 */
export const settling = jobSetup.createStateConfig({
  always: [
    { guard: 'escalateAsked', target: '#job.ended.escalated', actions: 'escalate' },
    {
      guard: 'heldByRule',
      target: '#job.parked.developer',
      actions: [endVisit('guardrail'), 'parkHeld'],
    },
    { guard: 'sessionBroke', target: '#job.ended.failed', actions: 'failSession' },
    { guard: 'sessionRetries', target: '#job.parked.outage', actions: 'waitForRepair' },
    { guard: 'sessionRepairable', target: '#job.parked.developer', actions: 'parkBroken' },
    { guard: 'budgetReached', target: '#job.parked.budget', actions: 'waitForBudget' },
    {
      guard: 'cutAtLimit',
      target: '#job.queued',
      actions: [
        'goOnInVisit',
        writeLogLine(
          'control',
          'the session was ended: the time of the job, which works unattended, is over',
        ),
      ],
    },
    {
      guard: 'diskLow',
      target: '#job.queued',
      actions: [
        'waitForDisk',
        writeLogLine(
          'control',
          ({ stop }) => `the session was ended: ${stop?.disk ?? 'the disk is low'}`,
        ),
      ],
    },
    {
      guard: 'sessionCut',
      target: '#job.queued',
      actions: [
        'goOnInVisit',
        writeLogLine('control', 'the session was interrupted; the phase continues with a new one'),
      ],
    },
    { guard: 'waitsAgain', target: '#job.parked.subRuns', actions: endVisit('sub-runs') },
    {
      guard: 'quotaReached',
      target: '#job.parked.quota',
      actions: 'waitForQuota',
    },
    {
      guard: 'agentDied',
      target: 'preparing',
      actions: [
        writeLogLine(
          'control',
          ({ stop }) =>
            `the agent's process ended without a result, and is started again: ${stop?.error ?? 'killed'}`,
        ),
        'startAgain',
      ],
    },
    {
      guard: 'agentKeepsDying',
      target: '#job.parked.developer',
      actions: [endVisit('agent-died'), 'parkAgentDied'],
    },
    {
      guard: 'agentStuck',
      target: '#job.parked.developer',
      actions: [endVisit('agent-stuck'), 'parkAgentStuck'],
    },
    { guard: 'ratingDue', target: 'judging' },
    {
      guard: 'flagPauses',
      target: '#job.parked.flagged',
      actions: endVisit('flagged'),
    },
    ...awaitRoutes,
    {
      guard: 'newSessionTooLate',
      target: '#job.queued',
      actions: ['takeNewSession', 'goOnInVisit'],
    },
    {
      guard: 'newSessionAsked',
      target: 'inSession',
      actions: ['takeNewSession', writeLogLine('phase', 'a new session continues the phase')],
    },
    {
      guard: 'sessionsUsedUp',
      target: '#job.parked.developer',
      actions: [endVisit('sessions-used-up'), 'parkSessionsUsedUp'],
    },
    ...buildPhaseOverRoutes('preparing', 'routing'),
  ],
});
