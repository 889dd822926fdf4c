import { quoteCommandWord } from '../../../base/text/quotePosixWord.ts';
import type { JobSummary, ParkKind } from '../../../contract/schema/job/job.ts';
import type {
  ReportApproval,
  ReportFinished,
  ReportLinks,
  ReportReview,
  ReportStop,
} from '../../../contract/schema/api/report.ts';
import { shorten } from '../../../base/text/clip.ts';

/** Longest title, characters. */
const MAX_TITLE_CHARS = 100;

export const toReportTitle = (text: string): string =>
  shorten(text.trim().split('\n', 1)[0] ?? '', MAX_TITLE_CHARS);

/** What names a job in every list of the report. */
const toReportedJob = (
  job: JobSummary,
): Pick<ReportFinished, 'jobId' | 'title' | 'repo' | 'workflow'> => ({
  jobId: job.id,
  title: toReportTitle(job.description),
  repo: job.repoSlug,
  workflow: job.workflowPath,
});

/** Waits that count as a stop; the others are part of the work. */
const IS_STOP: Readonly<Record<ParkKind, boolean>> = {
  budget: true,
  quota: true,
  outage: true,
  developer: true,
  external: true,
  halted: true,
  flagged: true,
  paused: true,
  approval: false,
  event: false,
  subRuns: false,
};
export const STOP_KINDS: readonly string[] = Object.entries(IS_STOP).flatMap(([kind, is]) =>
  is ? [kind] : [],
);

export function buildStopCommand(
  job: Pick<JobSummary, 'id' | 'phase' | 'parked' | 'status'>,
): string {
  const { parked, phase } = job;
  const id = quoteCommandWord(job.id);
  if (parked === null)
    return job.status === 'escalated'
      ? `svc rerun ${id} ${quoteCommandWord(phase)}`
      : `svc resume ${id}`;
  const { kind, cause, exceeded, pool: accountId, until } = parked;
  if (cause === 'stop-all') return 'svc resume --all stop-all';
  if (kind === 'budget')
    return `svc budget raise --job ${id} --${exceeded?.metric ?? 'usd'} <more>`;
  if (kind === 'quota' && until === undefined && accountId !== undefined)
    return `svc accounts retry ${quoteCommandWord(accountId)}`;
  return kind === 'halted' ? `svc campaign show ${id}` : `svc resume ${id}`;
}

/**
 * A stopped job; null for one that works, waits for its turn, or awaits something that it asked
 * for.
 */
export function toReportStop(job: JobSummary): Omit<ReportStop, keyof ReportLinks> | null {
  const { parked, ended } = job;
  const isBroken = job.status === 'failed' || job.status === 'escalated';
  if (ended ? !isBroken : parked === null || !IS_STOP[parked.kind]) return null;
  return {
    ...toReportedJob(job),
    why: ended ? job.status : (parked?.cause ?? parked?.kind ?? ''),
    since: job.since,
    reason: job.reason ?? (isBroken ? 'it gave no reason' : ''),
    until: ended ? null : (parked?.until ?? null),
    command: buildStopCommand(ended ? { ...job, parked: null } : job),
  };
}

export const toReportFinished = (job: JobSummary): Omit<ReportFinished, keyof ReportLinks> => ({
  ...toReportedJob(job),
  outcome: job.status === 'cancelled' ? 'cancelled' : job.subRunFailures ? 'partial' : 'complete',
  since: job.since,
});

export const toReportReview = (job: JobSummary): Omit<ReportReview, keyof ReportLinks> => ({
  ...toReportedJob(job),
  since: job.since,
  reason: job.reason ?? '',
  command: `svc status ${quoteCommandWord(job.id)}`,
});

/** null if the job does not wait for an approval. */
export const toReportApproval = (
  job: JobSummary,
): Omit<ReportApproval, keyof ReportLinks> | null =>
  job.parked?.kind === 'approval' && !job.ended
    ? {
        ...toReportedJob(job),
        phase: job.phase,
        since: job.since,
        command: `svc resume ${quoteCommandWord(job.id)}`,
      }
    : null;
