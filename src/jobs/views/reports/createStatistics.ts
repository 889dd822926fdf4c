import type { Runner } from '../../../contract/runner/runner.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { CountedJob, StatisticsReader } from '../../store/queries/statisticsReader.ts';
import { waitForNextTurn } from '../../../base/concurrency/waitForNextTurn.ts';
import { StatisticsSums } from './statisticsSums.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DEFAULT_DAYS = 30;
/** Most jobs whose waits are read; each has some twenty states. */
const MAX_WAITING_JOBS = 2_000;
/** Jobs read at once, with pauses for other work. */
const JOBS_AT_ONCE = 50;

interface StatisticsDeps {
  reader: StatisticsReader;
  now(): number;
}

/**
 * GET /statistics: what happened in the last days, from the rows of the store, read in slices. A
 * job that changes meanwhile may be missing.
 */
export const createStatistics = ({ reader, now }: StatisticsDeps): Pick<Runner, 'statistics'> => ({
  async statistics({ days = DEFAULT_DAYS, offset = 0 }) {
    const at = now();
    const shift = offset * MINUTE_MS;
    const first = Math.floor((at + shift) / DAY_MS) - days + 1;
    const from = first * DAY_MS - shift;
    const sums = new StatisticsSums(first, days, shift);
    for (let day = 0; day < days; day++) {
      const begins = from + day * DAY_MS;
      sums.created(day, reader.created(begins, begins + DAY_MS));
      await waitForNextTurn();
    }
    let waitsOf = 0;
    for (let last: CountedJob | null = null; ; ) {
      const jobs = reader.jobs(from, last, JOBS_AT_ONCE);
      last = jobs.at(-1) ?? null;
      if (last === null) break;
      sums.jobs(
        jobs,
        reader.tokens(listCountedJobIds(jobs), from, shift),
        reader.unreported(listCountedJobIds(jobs), from, shift),
      );
      const waiting = jobs.slice(0, MAX_WAITING_JOBS - waitsOf);
      if (waiting.length > 0) sums.waits(reader.waits(listCountedJobIds(waiting), from, at));
      waitsOf += waiting.length;
      await waitForNextTurn();
    }
    return { from: toIsoTime(from), to: toIsoTime(at), ...sums.all(), waitsOf };
  },
});

const listCountedJobIds = (jobs: readonly CountedJob[]): string[] => jobs.map(({ id }) => id);
