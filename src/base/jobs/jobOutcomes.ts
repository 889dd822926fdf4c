export const JOB_OUTCOMES = ['complete', 'failed', 'escalated', 'cancelled'] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];
