import type { FrameReader } from '../../../kernel/sqlite/frameReader.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { StateFrame } from '../../../contract/schema/job/frames.ts';
import type { JobPast, RatedVisit } from './deriveOutcomes.ts';

export interface PastDeps {
  rows: Pick<RowReader, 'all'>;
  frames: Pick<FrameReader, 'ofKind'>;
}

const parseSeenPrs = (seenPrs: string | null): string[] => {
  if (seenPrs === null) return [];
  const { facts } = JSON.parse(seenPrs) as { facts?: { prs?: { prId: string }[] } };
  return facts?.prs?.map(({ prId }) => prId) ?? [];
};

/** Oldest first. */
export const listRatedVisits = ({ rows }: Pick<PastDeps, 'rows'>, jobId: string): RatedVisit[] =>
  rows
    .all('decisions', { job_id: jobId, site: 'overseer' }, { order: ['at', 'visit'] })
    .filter(({ goal }) => goal !== null)
    .map(({ key, visit, phase, at, seen }) => ({ key, visit, phase, at, prs: parseSeenPrs(seen) }));

type PrRow = Tables['pr_mappings'];

/**
 * When the first pull request that reverts this one was merged, judged by its title, as forges
 * write it.
 */
const findRevertTime = ({ title }: PrRow, ofRepo: readonly PrRow[]): number | null => {
  const times = ofRepo
    .filter((one) => one.title === `Revert "${title}"` && one.merged_at !== null)
    .map(({ merged_at: at }) => Date.parse(at ?? ''));
  return times.length === 0 ? null : Math.min(...times);
};

/** Events of a job that show how its phases turned out. */
export function readJobPast({ rows, frames }: PastDeps, jobId: string): JobPast {
  const merged = rows
    .all('pr_mappings', { job_id: jobId }, { order: 'merged_at' })
    .filter(({ merged_at: at }) => at !== null);
  return {
    visits: rows
      .all('phase_visits', { job_id: jobId }, { order: 'visit' })
      .map(({ visit, phase, started_at: startedAt, approved_by: by }) => ({
        visit,
        phase,
        startedAt,
        approved: by !== null && by !== 'autoApprove',
      })),
    states: frames.ofKind(jobId, 'state', 0).map(({ data }) => JSON.parse(data) as StateFrame),
    requested: rows
      .all('inbox_items', { job_id: jobId, kind: 'event:changes_requested' }, { order: 'n' })
      .flatMap(({ pr_id: prId, at }) => (prId === null ? [] : [{ prId, at }])),
    merges: merged.map((row) => ({
      prId: row.pr_id,
      at: Date.parse(row.merged_at ?? ''),
      revertedAt: findRevertTime(
        row,
        rows.all('pr_mappings', { forge: row.forge, repo: row.repo }),
      ),
    })),
  };
}
