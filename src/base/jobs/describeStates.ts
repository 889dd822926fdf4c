/** States of a job, after "the job" or its id. */
const WORDS: Readonly<Record<string, string>> = {
  queued: 'is queued',
  'working.preparing': 'is being prepared',
  'working.inSession': 'is at work',
  'working.judging': 'is being rated',
  'working.settling': 'is at work',
  'working.routing': 'is at work',
  'working.stopping': 'is being stopped',
  'working.stopped': 'is being stopped',
  'parked.approval': 'is waiting for approval',
  'parked.flagged': 'was flagged and is waiting for you',
  'parked.dismissed': 'is about to continue',
  'parked.answered': 'is about to continue',
  'parked.event': 'is waiting for an event',
  'parked.external': 'is waiting for a report from outside',
  'parked.quota': "is waiting for the model's quota",
  'parked.budget': 'is waiting for a budget',
  'parked.outage': 'is waiting for a service or a repair',
  'parked.developer': 'is waiting for you',
  'parked.subRuns': 'is waiting for its sub-runs',
  'parked.halted': 'is halted, because a sub-run failed',
  'parked.paused': 'is paused',
  'parked.released': 'is about to continue',
  'ended.complete': 'is complete',
  'ended.failed': 'has failed',
  'ended.escalated': 'has escalated',
  'ended.cancelled': 'was cancelled',
};

/** The states (paths of a chart) in words that follow the job's id; an unknown one by its path. */
export const describeStates = (states: readonly string[]): string =>
  states.map((state) => WORDS[state] ?? `is ${state}`).join(' and ');
