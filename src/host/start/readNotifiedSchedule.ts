import { toScheduleActorId } from '../../../machines/index.ts';
import { MOST_SCHEDULE_FAILURES } from '../../base/jobs/schedules.ts';
import type { ScheduleRule } from '../../contract/schema/runner/schedule.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import type { NotifiedSchedule } from '../../notifications/message/composeMessage.ts';

/** Newest times among which the failures are looked for: times that were skipped lie between them. */
const MOST_RUNS = 50;

/** A schedule as notifications describe it; null = it is not configured. */
export function readNotifiedSchedule(
  rules: readonly ScheduleRule[],
  { durable, rows }: Pick<OpenStore, 'durable' | 'rows'>,
  name: string,
): NotifiedSchedule | null {
  const rule = rules.find((one) => one.name === name);
  if (rule === undefined) return null;
  const { workflow, params } = rule;
  const runs = rows.all(
    'schedule_runs',
    { schedule: name },
    { order: 'time', desc: true, limit: MOST_RUNS },
  );
  const isFailed = (jobId: string): boolean =>
    rows.all('job_list', { job_id: jobId }).some(({ state }) => state === 'failed');
  return {
    isPaused: durable.actor(toScheduleActorId(name))?.index.label === 'paused',
    repository: typeof params.repoSlug === 'string' ? params.repoSlug : null,
    workflow,
    failures: runs
      .filter(({ state, job_id }) => (job_id === null ? state === 'refused' : isFailed(job_id)))
      .slice(0, MOST_SCHEDULE_FAILURES)
      .map(({ time, job_id, problem }) => ({ time, jobId: job_id, problem })),
  };
}
