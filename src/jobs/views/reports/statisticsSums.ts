import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { Outcome, PeriodCount, Wait } from '../../store/queries/statisticsReader.ts';
import type {
  Statistics,
  StatisticsDay,
  StatisticsWorkflow,
} from '../../../contract/schema/api/statistics.ts';

const DAY_MS = 86_400_000;

const NO_JOBS = { complete: 0, partial: 0, failed: 0, cancelled: 0 };
const NO_TOKENS = { inputTokens: 0, outputTokens: 0, unreported: 0 };

const isOutcome = (kind: PeriodCount['kind']): kind is Outcome => Object.hasOwn(NO_JOBS, kind);

/** Counts of a period, added up slice by slice. */
export class StatisticsSums {
  readonly #days: StatisticsDay[];
  readonly #workflows = new Map<string, StatisticsWorkflow>();
  /** Duration of the ended jobs of a workflow, ms. */
  readonly #spent = new Map<string, number>();
  readonly #waits = new Map<string, Wait>();
  #jobs = 0;
  readonly #failures = { failed: 0, subRuns: 0, escalated: 0 };

  /** `first`: number of the first day since 1970. */
  constructor(first: number, days: number) {
    this.#days = Array.from({ length: days }, (_, n) => ({
      day: toIsoTime((first + n) * DAY_MS).slice(0, 10),
      created: 0,
      ...NO_JOBS,
      ...NO_TOKENS,
    }));
  }

  /** `day`: of the period, from 0. */
  count(day: number, { kind, workflow, n, more }: PeriodCount): void {
    const ofDay = this.#days[day];
    if (ofDay === undefined || n + more === 0) return;
    if (kind === 'created') ofDay.created += n;
    else if (kind === 'failed-sub-run') this.#failures.subRuns += n;
    else if (kind === 'escalated') this.#failures.escalated += n;
    else if (isOutcome(kind)) {
      ofDay[kind] += n;
      this.#workflow(workflow)[kind] += n;
      this.#spent.set(workflow, (this.#spent.get(workflow) ?? 0) + more);
      if (kind === 'failed') this.#failures.failed += n;
    } else
      for (const sum of [ofDay, this.#workflow(workflow)])
        if (kind === 'unreported') sum.unreported += n;
        else {
          sum.inputTokens += n;
          sum.outputTokens += more;
        }
  }

  /** More jobs of the period. */
  addChanged(jobs: number): void {
    this.#jobs += jobs;
  }

  waits(waits: readonly Wait[]): void {
    for (const { kind, count, total, longest } of waits) {
      const wait = this.#waits.get(kind) ?? { kind, count: 0, total: 0, longest: 0 };
      this.#waits.set(kind, {
        kind,
        count: wait.count + count,
        total: wait.total + total,
        longest: Math.max(wait.longest, longest),
      });
    }
  }

  toStatistics(): Pick<Statistics, 'days' | 'workflows' | 'waits' | 'jobs' | 'failures'> {
    return {
      days: this.#days,
      workflows: [...this.#workflows.values()]
        .map((one) => ({
          ...one,
          meanMs: Math.round(
            (this.#spent.get(one.workflow) ?? 0) / Math.max(1, countEndedJobs(one)),
          ),
        }))
        .sort(
          (a, b) => countEndedJobs(b) - countEndedJobs(a) || a.workflow.localeCompare(b.workflow),
        ),
      waits: [...this.#waits.values()]
        .map(({ kind, count, total, longest }) => ({
          kind,
          count,
          meanMs: Math.round(total / count),
          longestMs: longest,
          totalMs: total,
        }))
        .sort((a, b) => b.totalMs - a.totalMs || a.kind.localeCompare(b.kind)),
      jobs: this.#jobs,
      failures: this.#failures,
    };
  }

  #workflow(workflow: string): StatisticsWorkflow {
    const sums = this.#workflows.get(workflow) ?? {
      workflow,
      ...NO_JOBS,
      meanMs: 0,
      ...NO_TOKENS,
    };
    this.#workflows.set(workflow, sums);
    return sums;
  }
}

const countEndedJobs = ({ complete, partial, failed, cancelled }: StatisticsWorkflow): number =>
  complete + partial + failed + cancelled;
