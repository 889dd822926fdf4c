import { toIsoTime, toIsoTimeOrNull } from '../../base/time/toIsoTime.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Insight } from '../../contract/schema/job/job.ts';
import type { SubRunSpec } from '../../contract/schema/job/subRun.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';

const toSubRunSpec = (row: Tables['sub_runs']): SubRunSpec => ({
  name: row.name,
  description: row.description,
  params: JSON.parse(row.params) as Record<string, unknown>,
  dependsOn: JSON.parse(row.depends_on) as string[],
  trackerRef: row.tracker_ref,
  jobId: row.job_id,
  status: row.status,
  startedAt: toIsoTimeOrNull(row.started_at),
  completedAt: toIsoTimeOrNull(row.completed_at),
  attempt: row.attempt,
  reason: row.reason,
});

/** In the order of their registration. */
export const listSubRunSpecs = (rows: RowReader, parentJobId: string): SubRunSpec[] =>
  rows.all('sub_runs', { parent: parentJobId }, { order: 'n' }).map(toSubRunSpec);

/** undefined = none has this name. */
export const findSubRunSpec = (
  rows: RowReader,
  parentJobId: string,
  name: string,
): SubRunSpec | undefined => {
  const row = rows.one('sub_runs', { parent: parentJobId, name });
  return row && toSubRunSpec(row);
};

/** JSON of a sub-run's row before it was skipped; null = unknown. */
export const readBeforeSkip = (rows: RowReader, parentJobId: string, name: string): string | null =>
  rows.one('sub_runs', { parent: parentJobId, name })?.before_skip ?? null;

/** Insights of its siblings that a sub-run got when it was dispatched. */
export const listSiblingInsights = (rows: RowReader, jobId: string): Insight[] =>
  rows
    .all('sibling_insights', { job_id: jobId }, { order: 'n' })
    .map(({ id, at, phase, category, text }) => ({ id, category, text, phase, at: toIsoTime(at) }));
