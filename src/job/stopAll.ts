import type { RowReader } from '../durable/sqlite/rowReader.ts';
import type { KernelUse } from '../records/kernelHandle.ts';
import type { StopAllReply } from '../schema/bodies.ts';

/** Jobs that one commit pauses at most. */
const AT_ONCE = 200;
/** Looks for jobs that others have begun meanwhile. */
const MOST_LOOKS = 5;

interface StopAllDeps {
  kernel: KernelUse;
  rows: Pick<RowReader, 'all'>;
}

/** Pauses every job that has not ended; resolves when all pauses are committed. */
export const createStopAll = ({ kernel, rows }: StopAllDeps) => {
  const openJobs = (): string[] =>
    (['working', 'queued', 'waiting'] as const).flatMap((state) =>
      rows.all('job_list', { state }).map(({ job_id }) => job_id),
    );

  /** Answers which of them have taken it: the others rest already. */
  const paused = async (ids: readonly string[]): Promise<string[]> => {
    const event = { type: 'job.pause', all: true };
    const { sends } = await kernel.submit({ sends: ids.map((to) => ({ to, event })) });
    return ids.filter((_, index) => sends[index]?.accepted === true);
  };

  return {
    async stopAll(): Promise<StopAllReply> {
      const all = new Set<string>();
      const stopped = new Set<string>();
      for (let look = 0; look < MOST_LOOKS; look += 1) {
        const found = openJobs().filter((id) => !all.has(id));
        if (found.length === 0) break;
        for (const id of found) all.add(id);
        for (let from = 0; from < found.length; from += AT_ONCE)
          for (const id of await paused(found.slice(from, from + AT_ONCE))) stopped.add(id);
      }
      return { paused: stopped.size, resting: all.size - stopped.size };
    },
  };
};
