import { writeLogLine } from '../log.ts';
import { jobSetup } from '../jobSetup.ts';
import { inboxTransitions } from './inboxTransitions.ts';
import { endOnUndecidedWrite } from './writeAnswers.ts';

/**
 * Waits for a slot. `next` names the phase that starts or continues with it. What leads out of it clears `queuedAt` with
 * its other fields: an action of its own would copy the context once more at each wake.
 */
export const queued = jobSetup.createStateConfig({
  meta: { waits: 'for a free slot; the job that has waited longest gets the next one' },
  entry: ['takeLimit', 'joinQueue'],
  always: { guard: 'limitOver', target: '#job.parked.paused', actions: 'pauseQueued' },
  on: {
    ...inboxTransitions,
    ...endOnUndecidedWrite,
    'slot.granted': [
      { guard: 'limitOver', target: '#job.parked.paused', actions: 'pauseQueued' },
      // No current path leads here without an approval; a job of svc 0.2 may have taken one.
      { guard: 'approvalMissing', target: '#job.parked.approval', actions: 'holdNext' },
      { target: '#job.working' },
    ],
    'budget.exceeded': '#job.parked.budget',
    'quota.closed': '#job.parked.quota',
    'until.reached': {
      guard: 'limitOver',
      target: '#job.parked.paused',
      actions: 'pauseQueued',
    },
    'job.pause': { target: '#job.parked.paused', actions: 'pauseQueued' },
    'job.cancel': { target: '#job.ended.cancelled', actions: 'storeReason' },
    'job.rerun': {
      guard: 'rerunFits',
      actions: [
        'rerun',
        { type: 'endVisit', params: { outcome: 'rerun' } },
        writeLogLine('wake', ({ next }) => `phase ${next?.phase} is to be run`),
      ],
    },
  },
});
