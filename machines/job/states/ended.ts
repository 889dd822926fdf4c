import type { EventOf } from '../jobEvents.ts';
import { endVisit, writeLogLine } from '../log.ts';
import type { JobOutcome } from '../../../src/base/jobs/jobOutcomes.ts';
import { jobSetup } from '../jobSetup.ts';
import { describeCompletion } from '../rules/completionGate.ts';
import { notePrEnd, receiveMessage } from './inboxTransitions.ts';

const notifyParentDispatcher = (outcome: JobOutcome | 'reopened') => ({
  type: 'notifyParentDispatcher' as const,
  params: { outcome },
});

const waitsAgain = writeLogLine('wake', 'a sub-run is to run again: the job goes back to waiting');

/** A sub-run was rerun while the job was ending: the job waits for it, as after a later request. */
const back = {
  guard: 'reopenedMeanwhile',
  target: '#job.parked.subRuns',
  actions: ['takeBackEnd', waitsAgain],
} as const;

const reopened = {
  'subRuns.reopened': [
    { guard: 'coordinates', target: '#job.parked.subRuns', actions: ['takeBackEnd', waitsAgain] },
    { actions: { type: 'tellDispatcher', params: { event: 'parent.gone' } } },
  ],
} as const;

/** A person dismisses an end that asks for a person. */
const cancel = { target: 'cancelled', actions: 'cancelEnded' } as const;

const complete = jobSetup.createStateConfig({
  meta: { waits: 'for nothing: the job is complete; a phase can be rerun' },
  entry: [
    endVisit('complete'),
    notifyParentDispatcher('complete'),
    writeLogLine('ended', (context) => describeCompletion(context.subRunFailures)),
  ],
  always: back,
  on: reopened,
});

const failed = jobSetup.createStateConfig({
  meta: {
    waits: 'for nothing: the job has failed; you can resume it, send a message or rerun a phase',
  },
  entry: [
    endVisit('failed'),
    notifyParentDispatcher('failed'),
    writeLogLine(
      'ended',
      ({ escalationMessage }) => `failed: ${escalationMessage ?? 'for an unknown reason'}`,
    ),
  ],
  always: back,
  on: {
    ...reopened,
    'job.resume': {
      target: '#job.queued',
      actions: [
        'runAgain',
        writeLogLine<EventOf<'job.resume'>>(
          'wake',
          (_context, { eventKey }) => `resumed (${eventKey})`,
        ),
      ],
    },
    'job.message': { target: '#job.queued', actions: [...receiveMessage, 'runAgain'] },
    'job.cancel': cancel,
  },
});

const escalated = jobSetup.createStateConfig({
  meta: { waits: 'for nothing: the agent has escalated; a phase can be rerun' },
  entry: [
    endVisit('escalated'),
    notifyParentDispatcher('escalated'),
    writeLogLine('ended', ({ escalationMessage }) => `escalated: ${escalationMessage ?? ''}`),
  ],
  always: back,
  on: { ...reopened, 'job.cancel': cancel },
});

const cancelled = jobSetup.createStateConfig({
  meta: { waits: 'for nothing: the job was cancelled; a phase can be rerun' },
  entry: [
    'closeReopened',
    endVisit('cancelled'),
    notifyParentDispatcher('cancelled'),
    writeLogLine('ended', ({ escalationMessage }) =>
      escalationMessage === null ? 'cancelled' : `cancelled: ${escalationMessage}`,
    ),
  ],
  on: {
    'subRuns.reopened': { actions: { type: 'tellDispatcher', params: { event: 'parent.gone' } } },
  },
});

/** Ordinary states, not XState's final ones: a person can still rerun a phase. */
export const ended = jobSetup.createStateConfig({
  initial: 'complete',
  entry: ['settleEnd', 'endLimit', 'closeSubRuns'],
  exit: notifyParentDispatcher('reopened'),
  on: {
    'forge.event': notePrEnd,
    'job.rerun': {
      guard: 'rerunFits',
      target: '#job.queued',
      actions: [
        'rerun',
        writeLogLine<EventOf<'job.rerun'>>(
          'wake',
          (_context, { phase }) => `phase ${phase} is to be run again`,
        ),
      ],
    },
  },
  states: { complete, failed, escalated, cancelled },
});
