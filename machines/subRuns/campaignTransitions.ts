/** Events of jobs and commands lead back to `dispatching`, which rechecks the campaign. */
export const buildDispatchTransitions = (target: 'dispatching' | 'held') =>
  ({
    'subRun.prepared': [
      { guard: 'beginsNow', actions: 'begin' },
      { guard: 'stoppedBefore', target, reenter: true, actions: 'endUnbegun' },
    ],
    'subRun.unprepared': [
      { guard: 'beginsNow', target, reenter: true, actions: 'failUnprepared' },
      { guard: 'stoppedBefore', target, reenter: true, actions: 'endUnbegun' },
    ],
    'subRun.postponed': [
      { guard: 'beginsNow', target, reenter: true, actions: 'postpone' },
      { guard: 'stoppedBefore', target, reenter: true, actions: 'endUnbegun' },
    ],
    'subRuns.retry': { guard: 'isHindered', target, reenter: true, actions: 'retryHindered' },
    'subRun.ended': { guard: 'runsNow', target, reenter: true, actions: 'finish' },
    'subRun.reopened': { guard: 'endedBefore', target, reenter: true, actions: 'reopen' },
    'effect.givenUp': [
      { guard: 'makingGivenUp', target, reenter: true, actions: 'postpone' },
      { guard: 'dispatchGivenUp', target, reenter: true, actions: 'failUnprepared' },
      { guard: 'stopGivenUp', actions: 'takeBackStop' },
    ],
    'subRuns.skip': { guard: 'commandFits', target, reenter: true, actions: 'skip' },
    'subRuns.unskip': { guard: 'commandFits', target, reenter: true, actions: 'unskip' },
    'subRuns.cancel': { guard: 'commandFits', target, reenter: true, actions: 'cancel' },
    'subRuns.rerun': { guard: 'commandFits', target, reenter: true, actions: 'rerun' },
  }) as const;

/**
 * The same during a halt, which lasts until the last failure is decided. The parent is notified again
 * only if the undecided failures change.
 */
export const haltedTransitions = {
  'subRun.prepared': [
    { guard: 'beginsNow', actions: 'begin' },
    { guard: 'stoppedBefore', actions: ['endUnbegun', 'advance'] },
  ],
  'subRun.unprepared': [
    { guard: 'beginsNow', actions: ['failUnprepared', 'advance', 'tellHalted'] },
    { guard: 'stoppedBefore', actions: ['endUnbegun', 'advance'] },
  ],
  'subRun.postponed': [
    { guard: 'beginsNow', actions: 'postpone' },
    { guard: 'stoppedBefore', actions: ['endUnbegun', 'advance'] },
  ],
  'subRuns.retry': { guard: 'isHindered', actions: ['retryHindered', 'advance'] },
  'subRun.ended': [
    { guard: 'breaksNow', actions: ['finish', 'advance', 'tellHalted'] },
    { guard: 'runsNow', actions: ['finish', 'advance'] },
  ],
  'subRun.reopened': { guard: 'endedBefore', actions: ['reopen', 'advance'] },
  'effect.givenUp': [
    { guard: 'makingGivenUp', actions: 'postpone' },
    { guard: 'dispatchGivenUp', actions: ['failUnprepared', 'advance', 'tellHalted'] },
    { guard: 'stopGivenUp', actions: 'takeBackStop' },
  ],
  'subRuns.skip': [
    { guard: 'otherFailures', actions: ['skip', 'advance', 'tellHalted'] },
    { guard: 'commandFits', actions: ['skip', 'advance'] },
  ],
  'subRuns.unskip': [
    { guard: 'otherFailures', actions: ['unskip', 'advance', 'tellHalted'] },
    { guard: 'commandFits', actions: ['unskip', 'advance'] },
  ],
  'subRuns.cancel': [
    { guard: 'otherFailures', actions: ['cancel', 'advance', 'tellHalted'] },
    { guard: 'commandFits', actions: ['cancel', 'advance'] },
  ],
  'subRuns.rerun': [
    { guard: 'otherFailures', actions: ['rerun', 'advance', 'tellHalted'] },
    { guard: 'commandFits', actions: ['rerun', 'advance'] },
  ],
} as const;

/** The same while nothing begins because the parent does not wait. */
export const reopenedTransitions = {
  'subRun.prepared': [
    { guard: 'beginsNow', actions: 'begin' },
    { guard: 'stoppedBefore', actions: 'endUnbegun' },
  ],
  'subRun.ended': { guard: 'runsNow', actions: 'finish' },
  'subRun.reopened': { guard: 'endedBefore', actions: 'reopen' },
  'effect.givenUp': { guard: 'stopGivenUp', actions: 'takeBackStop' },
  'subRuns.skip': { guard: 'commandFits', actions: 'skip' },
  'subRuns.unskip': { guard: 'commandFits', actions: 'unskip' },
  'subRuns.cancel': { guard: 'commandFits', actions: 'cancel' },
  'subRuns.rerun': { guard: 'commandFits', actions: 'rerun' },
} as const;
