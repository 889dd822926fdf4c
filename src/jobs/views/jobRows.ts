import { toIsoTime, toIsoTimeOrNull } from '../../base/time/toIsoTime.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Artefact, Insight, Job, PhaseVisit } from '../../contract/schema/job/job.ts';
import type { PhaseUsage } from '../../contract/schema/session/sessionRecords.ts';
import type { PrMapping } from '../../contract/schema/forge/pr.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';

/** Oldest first. */
export const listJobInsights = (rows: RowReader, jobId: string): Insight[] =>
  rows
    .all('insights', { job_id: jobId }, { order: 'at' })
    .map(({ id, at, phase, category, text }) => ({ id, category, text, phase, at: toIsoTime(at) }));

/** Oldest first. */
export const listJobArtefacts = (rows: RowReader, jobId: string): Artefact[] =>
  rows
    .all('artefacts', { job_id: jobId }, { order: 'at' })
    .map(({ id, kind, title, mime, size, sha256, phase, visit, at, removed_at }) => ({
      id,
      kind,
      title,
      mime,
      size,
      sha256,
      phase,
      visit,
      at: toIsoTime(at),
      ...(removed_at === null ? {} : { removedAt: toIsoTime(removed_at) }),
    }));

/** Throws SvcError `not-found` if retention has removed the content. */
export function assertContent({ id, removedAt }: Artefact): void {
  if (removedAt === undefined) return;
  throw new SvcError(
    'not-found',
    `The content of artefact ${id} was removed by retention at ${removedAt} (retention.artefacts); only its description is left.`,
  );
}

export const listPrMappings = (rows: RowReader, jobId: string): PrMapping[] =>
  rows.all('pr_mappings', { job_id: jobId }, { order: 'number' }).map((row) => ({
    prId: row.pr_id,
    forge: row.forge,
    repo: row.repo,
    number: row.number,
    title: row.title,
    head: row.head,
    base: row.base,
    url: row.url,
    state: row.state,
    workItem: row.work_item,
    mergedAt: row.merged_at,
    ...(row.problem && row.state === 'open' ? { problem: row.problem } : {}),
  }));

export const listPhaseUsage = (rows: RowReader, jobId: string): PhaseUsage[] =>
  rows.all('token_usage', { job_id: jobId }, { order: 'visit' }).map((row) => ({
    phase: row.phase,
    visit: row.visit,
    session: row.session,
    usage: {
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      cachedInputTokens: row.cached_input_tokens,
      ...(row.cache_write_tokens === null ? {} : { cacheWriteTokens: row.cache_write_tokens }),
    },
  }));

/** How many sessions of the job ended without a token report. */
export const countUnreportedSessions = (rows: RowReader, jobId: string): number =>
  rows.count('usage_calls', { subject: jobId, source: 'none' });

/** Left out if no session was to be confined. */
export const readJobSandboxes = (rows: RowReader, jobId: string): Pick<Job, 'sandboxes'> => {
  const sandboxRows = rows.all('session_sandboxes', { job_id: jobId });
  if (sandboxRows.length === 0) return {};
  return { sandboxes: sandboxRows.map(({ job_id: _, ...row }) => row) };
};

export const listPhaseVisits = (rows: RowReader, jobId: string): PhaseVisit[] =>
  rows.all('phase_visits', { job_id: jobId }, { order: 'visit' }).map((row) => ({
    visit: row.visit,
    phase: row.phase,
    status: row.status,
    startedAt: toIsoTime(row.started_at),
    endedAt: toIsoTimeOrNull(row.ended_at),
    sessions: row.sessions,
    overlayHash: row.overlay_hash,
    outcome: row.outcome,
    approvedBy: row.approved_by,
    ...(row.approved_person === null ? {} : { approvedPerson: row.approved_person }),
  }));

/** A stored inbox item; machines/job/rules turn a range of them into one prompt. */
export type InboxItemRow = Tables['inbox_items'];

/** Whether an agent still has to read it. */
export const isInboxItemOpen = ({
  acknowledged_at: readAt,
  superseded_by: by,
}: InboxItemRow): boolean => readAt === null && by === null;

/** Inbox items (from, to], oldest first. */
export const listInboxItems = (
  rows: RowReader,
  jobId: string,
  from: number,
  to: number,
): InboxItemRow[] =>
  from >= to
    ? []
    : rows.all('inbox_items', { job_id: jobId }, { order: 'n', offset: from, limit: to - from });
