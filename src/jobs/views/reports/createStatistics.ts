import type { Runner } from '../../../contract/runner/runner.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { ChangedJob, StatisticsReader } from '../../store/queries/statisticsReader.ts';
import { waitForNextTurn } from '../../../base/concurrency/waitForNextTurn.ts';
import { StatisticsSums } from './statisticsSums.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DEFAULT_DAYS = 30;
/** Most jobs whose waits are read; each has some twenty states. */
const MAX_WAITING_JOBS = 2_000;
/** Jobs whose waits are read at once, with pauses for other work. */
const JOBS_AT_ONCE = 10;
/** Parts of a day that are read at once. */
const PARTS_OF_DAY = 4;
const PART_MS = DAY_MS / PARTS_OF_DAY;

interface StatisticsDeps {
  reader: StatisticsReader;
  now(): number;
}

/**
 * GET /statistics: what happened in the last days, from counts that the store keeps, read day by day. A
 * job that changes meanwhile may be missing.
 */
export const createStatistics = ({ reader, now }: StatisticsDeps): Pick<Runner, 'statistics'> => ({
  async statistics({ days = DEFAULT_DAYS, offset = 0 }) {
    const at = now();
    const shift = offset * MINUTE_MS;
    const first = Math.floor((at + shift) / DAY_MS) - days + 1;
    const from = first * DAY_MS - shift;
    const sums = new StatisticsSums(first, days);
    reader.nameLeftOut();
    for (let part = 0; part < days * PARTS_OF_DAY; part++) {
      const begins = from + part * PART_MS;
      const day = Math.floor(part / PARTS_OF_DAY);
      for (const count of reader.counts(begins, begins + PART_MS)) sums.count(day, count);
      await waitForNextTurn();
    }
    for (const jobs of reader.countChanged(from)) {
      sums.addChanged(jobs);
      await waitForNextTurn();
    }
    let jobsRead = 0;
    for (let last: ChangedJob | null = null; jobsRead < MAX_WAITING_JOBS; ) {
      const jobs = reader.jobs(from, last, JOBS_AT_ONCE);
      last = jobs.at(-1) ?? null;
      if (last === null) break;
      sums.waits(
        reader.waits(
          jobs.map(({ id }) => id),
          from,
          at,
        ),
      );
      jobsRead += jobs.length;
      await waitForNextTurn();
    }
    return { from: toIsoTime(from), to: toIsoTime(at), ...sums.toStatistics(), waitsOf: jobsRead };
  },
});
