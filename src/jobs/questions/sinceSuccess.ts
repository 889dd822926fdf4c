import { readWorkSince } from '../../git/readWork.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import type { Job } from '../../contract/schema/job/job.ts';

type VisitRow = Tables['phase_visits'];

/** How visits end whose work the job continues with. */
const SUCCEEDED: ReadonlySet<string> = new Set([
  'advanced',
  'approval',
  'await_event',
  'goto',
  'sub-runs',
  'switch_workflow',
  'convert_to_workflow',
]);

const isSuccess = ({ outcome, ended_at }: VisitRow): boolean =>
  ended_at !== null && outcome !== null && SUCCEEDED.has(outcome);

/** Whether a visit began with another overlay than the successful one; an unknown one does not count. */
const hasOtherOverlay = (success: VisitRow | undefined, later: readonly VisitRow[]): boolean =>
  success?.overlay_hash != null &&
  later.some(({ overlay_hash: hash }) => hash !== null && hash !== success.overlay_hash);

interface SinceSuccessDeps {
  rows: RowReader;
  /** Throws SvcError `not-found`. */
  job(jobId: string): Pick<Job, 'createdAt' | 'params'>;
}

/** What changed in a job since its last phase that ended without a failure. */
export const createSinceSuccess = ({
  rows,
  job,
}: SinceSuccessDeps): Pick<Runner, 'sinceSuccess'> => ({
  async sinceSuccess(id) {
    const { createdAt, params } = job(id);
    const visits = rows.all('phase_visits', { job_id: id }, { order: 'visit' });
    const success = visits.findLast(isSuccess);
    const later = visits.filter(({ visit }) => visit > (success?.visit ?? 0));
    const at = success?.ended_at ?? Date.parse(createdAt);
    const checkout = params.repoCheckoutAbsDir;
    return {
      phase: success?.phase ?? null,
      at: toIsoTime(at),
      visits: later.length,
      overlay: hasOtherOverlay(success, later),
      messages: rows.all('inbox_items', { job_id: id }).filter((item) => item.at > at).length,
      files: typeof checkout === 'string' ? await readWorkSince(checkout, at) : null,
    };
  },
});
