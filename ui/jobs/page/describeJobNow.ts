import { isJobUnreadable } from '../../../src/shared/jobs/isJobUnreadable.ts';
import type { Job, JobSummary } from '../../../src/contract/schema/job/job.ts';
import { describeJobState } from '../plainText.ts';

/** What the job does now, in a few words. */
export function describeJobNow(
  job: Pick<JobSummary, 'ended' | 'parked' | 'status' | 'subRunFailures' | 'ending' | 'broken'> &
    Pick<Job, 'state'>,
): string {
  if (job.ended || job.parked || isJobUnreadable(job.broken)) return describeJobState(job);
  const [state = ''] = job.state;
  if (state === 'queued') return 'Queued';
  if (state === 'working.stopping') return 'Stopping';
  return state === 'working.preparing' ? 'Preparing' : 'Working';
}

/** A phase of the workflow as the header shows it. */
export interface PhaseStep {
  phase: string;
  state: 'done' | 'current' | 'open';
}

/**
 * The phases of the workflow with where the job is. A phase that was visited counts as done, even if
 * the job has since gone back before it.
 */
export function listPhaseSteps(
  phases: readonly string[],
  {
    phase: current,
    phases: visits,
    ended,
    status,
  }: Pick<Job, 'phase' | 'phases' | 'ended' | 'status'>,
): PhaseStep[] {
  const visited = new Set(visits.map(({ phase }) => phase));
  const over = ended && status === 'complete';
  return phases.map((phase) => ({
    phase,
    state: phase === current && !over ? 'current' : visited.has(phase) ? 'done' : 'open',
  }));
}
