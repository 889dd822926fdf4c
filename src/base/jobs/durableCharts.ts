export const JOB_CHART = 'job';

/** Ids of the charts whose actors a state keeps. A test compares them with the charts that run. */
export const DURABLE_CHARTS = [
  JOB_CHART,
  'subRuns',
  'review',
  'quota',
  'proposal',
  'schedule',
] as const;
