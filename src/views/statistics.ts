import type { Runner } from '../contract/runner.ts';
import { iso } from '../domain/isoTime.ts';
import type { StatisticsReader } from '../durable/sqlite/statisticsReader.ts';
import type { StatisticsDay, StatisticsWorkflow } from '../schema/statistics.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DEFAULT_DAYS = 30;
/** Jobs whose waits are read: each has some twenty states. */
const MAX_WAITING_JOBS = 2_000;

interface StatisticsDeps {
  reader: StatisticsReader;
  now(): number;
}

const NO_JOBS = { complete: 0, partial: 0, failed: 0, cancelled: 0 };
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };

/** GET /statistics: what happened on the last days, from the rows of the store. */
export const createStatistics = ({ reader, now }: StatisticsDeps): Pick<Runner, 'statistics'> => ({
  statistics({ days = DEFAULT_DAYS, offset = 0 }) {
    const at = now();
    const shift = offset * MINUTE_MS;
    const today = Math.floor((at + shift) / DAY_MS);
    const first = today - days + 1;
    const from = first * DAY_MS - shift;
    const period = { from, now: at, shift };

    const byDay = Array.from(
      { length: days },
      (_, n): StatisticsDay => ({
        day: iso((first + n) * DAY_MS).slice(0, 10),
        created: 0,
        ...NO_JOBS,
        ...NO_TOKENS,
      }),
    );
    const byWorkflow = new Map<string, StatisticsWorkflow>();
    const workflowOf = (workflow: string): StatisticsWorkflow => {
      const known = byWorkflow.get(workflow) ?? { workflow, ...NO_JOBS, meanMs: 0, ...NO_TOKENS };
      byWorkflow.set(workflow, known);
      return known;
    };
    for (const { day, count } of reader.created(period)) {
      const found = byDay[day - first];
      if (found) found.created = count;
    }
    for (const { day, state, count } of reader.ended(period)) {
      const found = byDay[day - first];
      if (found) found[state] = count;
    }
    const spent = new Map<string, number>();
    for (const { workflow, state, count, ms } of reader.workflows(period)) {
      workflowOf(workflow)[state] = count;
      spent.set(workflow, (spent.get(workflow) ?? 0) + ms);
    }
    for (const { day, workflow, input, output } of reader.tokens(period)) {
      for (const sum of [byDay[day - first], workflowOf(workflow)]) {
        if (!sum) continue;
        sum.inputTokens += input;
        sum.outputTokens += output;
      }
    }
    const jobsOf = ({ complete, partial, failed, cancelled }: StatisticsWorkflow): number =>
      complete + partial + failed + cancelled;
    const workflows = [...byWorkflow.values()]
      .map((one) => ({
        ...one,
        meanMs: Math.round((spent.get(one.workflow) ?? 0) / Math.max(1, jobsOf(one))),
      }))
      .sort((a, b) => jobsOf(b) - jobsOf(a) || a.workflow.localeCompare(b.workflow));
    const jobs = reader.jobs(period);
    return {
      from: iso(from),
      to: iso(at),
      days: byDay,
      workflows,
      waits: reader.waits(period, MAX_WAITING_JOBS).map(({ kind, count, total, longest }) => ({
        kind,
        count,
        meanMs: Math.round(total / count),
        longestMs: longest,
        totalMs: total,
      })),
      waitsOf: Math.min(jobs, MAX_WAITING_JOBS),
      jobs,
    };
  },
});
