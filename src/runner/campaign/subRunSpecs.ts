import type { Insight } from '../../schema/job.ts';
import type { SubRunSpec, SubRunStatus } from '../../schema/subRun.ts';
import type { RowReader } from '../../store/rowReader.ts';

interface SubRunRow {
  name: string;
  description: string;
  params: string;
  depends_on: string;
  tracker_ref: string | null;
  job_id: string | null;
  attempt: number;
  status: SubRunStatus;
  reason: string | null;
  started_at: number | null;
  completed_at: number | null;
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const specOf = (row: SubRunRow): SubRunSpec => ({
  name: row.name,
  description: row.description,
  params: JSON.parse(row.params) as Record<string, unknown>,
  dependsOn: JSON.parse(row.depends_on) as string[],
  trackerRef: row.tracker_ref,
  jobId: row.job_id,
  status: row.status,
  startedAt: iso(row.started_at),
  completedAt: iso(row.completed_at),
  attempt: row.attempt,
  reason: row.reason,
});

/** The sub-runs of a parent in the order of their registration. */
export const subRunSpecs = (rows: RowReader, parentJobId: string): SubRunSpec[] =>
  rows.all<SubRunRow>('sub_runs', { parent: parentJobId }, { order: 'n' }).map(specOf);

/** One of them; undefined where there is none of that name. */
export const subRunSpec = (rows: RowReader, parentJobId: string, name: string): SubRunSpec | undefined => {
  const row = rows.one<SubRunRow>('sub_runs', { parent: parentJobId, name });
  return row && specOf(row);
};

interface SiblingInsightRow {
  id: string;
  at: number;
  phase: string;
  category: string;
  text: string;
}

/** What a sub-run was told of its siblings when it was dispatched. */
export const siblingInsights = (rows: RowReader, jobId: string): Insight[] =>
  rows
    .all<SiblingInsightRow>('sibling_insights', { job_id: jobId }, { order: 'n' })
    .map(({ id, at, phase, category, text }) => ({ id, category, text, phase, at: new Date(at).toISOString() }));
