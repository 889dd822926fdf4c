import { endVisit, writeLogLine } from '../log.ts';
import { jobSetup } from '../jobSetup.ts';
import { logParkReason, logRerun } from './parkedLog.ts';

const settledLine = writeLogLine('wake', 'every sub-run has ended');

const stopWaiting = [
  'pauseForSubRuns' as const,
  { type: 'tellDispatcher' as const, params: { event: 'parent.paused' as const } },
];

const settles = {
  'subRuns.settled': [
    { guard: 'settledUnapproved', target: 'approval', actions: ['noteSettled', settledLine] },
    { target: '#job.queued', actions: ['wakeBySubRuns', settledLine] },
  ],
  'until.reached': { guard: 'limitOver', target: 'paused', actions: stopWaiting },
  'job.pause': { target: 'paused', actions: stopWaiting },
  /** Sub-runs that have not begun wait until the job waits again: the plan may change. */
  'job.rerun': {
    guard: 'rerunFits',
    target: '#job.queued',
    actions: [
      'rerun',
      { type: 'tellDispatcher', params: { event: 'parent.paused' } },
      endVisit('rerun'),
      logRerun,
    ],
  },
  'subRuns.reopened': { actions: { type: 'tellDispatcher', params: { event: 'parent.parked' } } },
} as const;

export const subRuns = jobSetup.createStateConfig({
  meta: {
    waits: 'for every sub-run to end; GET /jobs/:jobId/sub-runs says what each of them waits for',
  },
  entry: [
    'parkForSubRuns',
    { type: 'tellDispatcher', params: { event: 'parent.parked' } },
    logParkReason,
  ],
  always: [
    { guard: 'overUnapproved', target: 'approval', actions: settledLine },
    { guard: 'subRunsSettled', target: '#job.queued', actions: ['goOnSettled', settledLine] },
  ],
  on: {
    ...settles,
    'subRuns.halted': { target: 'halted', actions: 'parkHalted' },
    'subRuns.hindered': { actions: 'noteHindered' },
  },
});

export const halted = jobSetup.createStateConfig({
  meta: {
    waits:
      'for you to rerun, skip or cancel sub-runs: one of them has failed, and the others wait for a decision',
  },
  entry: logParkReason,
  on: {
    ...settles,
    'subRuns.halted': { actions: 'parkHalted' },
    'subRuns.goOn': { target: 'subRuns', actions: writeLogLine('wake', 'the sub-runs continue') },
  },
});
