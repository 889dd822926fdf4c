import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import type { LogFrame } from '../../src/contract/schema/job/frames.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import type { SubRunInput, SubRunStatus } from '../../src/contract/schema/job/subRun.ts';
import { shorten } from '../../src/base/text/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/base/limits/jobLimits.ts';
import type { BeforeSkip } from './subRunsEvents.ts';

type Put = IntrinsicParams['row.put'];
type PatchRow = IntrinsicParams['row.patch'];

const TABLE = 'sub_runs';

/**
 * A registered sub-run, or one from a campaign file. `n`: its place in the list; `attempt`: number
 * of its next run.
 */
export const toSubRunRow = (parent: string, n: number, spec: SubRunInput, attempt = 1): Put => ({
  table: TABLE,
  row: {
    parent,
    name: spec.name,
    n,
    description: spec.description,
    params: JSON.stringify(spec.params ?? {}),
    depends_on: JSON.stringify(spec.dependsOn ?? []),
    tracker_ref: spec.trackerRef ?? null,
    job_id: null,
    attempt,
    status: 'pending',
    reason: null,
    started_at: null,
    completed_at: null,
    before_skip: null,
  },
});

export interface SubRunPatch {
  status?: SubRunStatus;
  reason?: string | null;
  attempt?: number;
  params?: Record<string, unknown>;
  jobId?: string | null;
  startedAt?: number | null;
  completedAt?: number | null;
  beforeSkip?: BeforeSkip | null;
}

export function buildSubRunPatch(parent: string, name: string, patch: SubRunPatch): PatchRow {
  const set: Partial<Tables['sub_runs']> = {};
  if (patch.status !== undefined) set.status = patch.status;
  if (patch.reason !== undefined)
    set.reason = patch.reason === null ? null : shorten(patch.reason, MAX_KEPT_REASON_CHARS);
  if (patch.attempt !== undefined) set.attempt = patch.attempt;
  if (patch.params !== undefined) set.params = JSON.stringify(patch.params);
  if (patch.jobId !== undefined) set.job_id = patch.jobId;
  if (patch.startedAt !== undefined) set.started_at = patch.startedAt;
  if (patch.completedAt !== undefined) set.completed_at = patch.completedAt;
  if (patch.beforeSkip !== undefined)
    set.before_skip = patch.beforeSkip === null ? null : JSON.stringify(patch.beforeSkip);
  return { table: TABLE, key: { parent, name }, set };
}

export const dropSubRuns = (parent: string): IntrinsicParams['row.drop'] => ({
  table: TABLE,
  key: { parent },
});

/** A line of the parent's log: no one reads the dispatcher's own stream. */
export const toCampaignFrame = (
  parent: string,
  at: number,
  line: string,
): IntrinsicParams['frame.add'] => ({
  actor: parent,
  kind: 'log',
  data: {
    at: new Date(at).toISOString(),
    phase: 'sub-runs',
    visit: 0,
    from: 'runner',
    tag: 'sub-runs',
    line,
  } satisfies LogFrame,
});
