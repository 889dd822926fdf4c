import type { JobListReader } from '../store/queries/jobListReader.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import type { StopAllReply } from '../../contract/schema/api/bodies.ts';

/** Most jobs paused by one commit. */
const AT_ONCE = 200;
/** Repeats the search for jobs that others started meanwhile, at most this often. */
const MOST_LOOKS = 5;

interface StopAllDeps {
  kernel: KernelUse;
  jobs: Pick<JobListReader, 'rows' | 'readIds'>;
}

/** Pauses every job that has not ended; resolves when all pauses are committed. */
export const createStopAll = ({ kernel, jobs }: StopAllDeps) => {
  // Row numbers instead of ids, since there may be a million waiting jobs.
  const openJobs = (): number[] =>
    (['working', 'queued', 'waiting'] as const).flatMap((state) => jobs.rows({ states: [state] }));

  /** Returns how many of them were paused; the others were already at rest. */
  const pauseJobs = async (ids: readonly string[]): Promise<number> => {
    const event = { type: 'job.pause', all: true };
    const { sends } = await kernel.submit({ sends: ids.map((to) => ({ to, event })) });
    return sends.filter(({ accepted }) => accepted).length;
  };

  return {
    async stopAll(): Promise<StopAllReply> {
      const all = new Set<number>();
      let stoppedCount = 0;
      for (let look = 0; look < MOST_LOOKS; look += 1) {
        const rows = openJobs().filter((row) => !all.has(row));
        if (rows.length === 0) break;
        for (const row of rows) all.add(row);
        for (let from = 0; from < rows.length; from += AT_ONCE)
          stoppedCount += await pauseJobs(jobs.readIds(rows.slice(from, from + AT_ONCE)));
      }
      return { paused: stoppedCount, resting: all.size - stoppedCount };
    },
  };
};
