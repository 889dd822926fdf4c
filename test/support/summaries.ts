import type { JobSummary } from '../../src/contract/schema/job/job.ts';

/** A job as lists show it: at work, unless `part` differs. */
export const summary = (id: string, part: Partial<JobSummary> = {}): JobSummary => ({
  id,
  type: 'job',
  status: 'coding',
  phase: 'coding',
  workflowPath: 'workflows/job.md',
  parentJobId: null,
  parked: null,
  ended: false,
  needs: null,
  since: '2026-01-01T00:00:00.000Z',
  reason: null,
  description: `The job ${id}`,
  repoSlug: 'shop',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...part,
});

export const parked = (
  kind: NonNullable<JobSummary['parked']>['kind'],
  since = '2026-01-01T00:00:00.000Z',
) => ({
  kind,
  since,
  reason: `waits: ${kind}`,
});
