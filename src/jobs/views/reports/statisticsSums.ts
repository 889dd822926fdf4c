import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type {
  CountedJob,
  DayTokens,
  DayUnreported,
  Wait,
} from '../../store/queries/statisticsReader.ts';
import type {
  Statistics,
  StatisticsDay,
  StatisticsWorkflow,
} from '../../../contract/schema/api/statistics.ts';

const DAY_MS = 86_400_000;

const NO_JOBS = { complete: 0, partial: 0, failed: 0, cancelled: 0 };
const NO_TOKENS = { inputTokens: 0, outputTokens: 0, unreported: 0 };

type Outcome = keyof typeof NO_JOBS;

const isOutcome = (state: CountedJob['state']): state is Outcome => Object.hasOwn(NO_JOBS, state);

/** Counts of a period, added up slice by slice. */
export class StatisticsSums {
  /** Number of the first day since 1970. */
  readonly #first: number;
  readonly #shift: number;
  readonly #days: StatisticsDay[];
  readonly #workflows = new Map<string, StatisticsWorkflow>();
  /** Duration of the ended jobs of a workflow, ms. */
  readonly #spent = new Map<string, number>();
  readonly #waits = new Map<string, Wait>();
  #jobs = 0;
  readonly #failures = { failed: 0, subRuns: 0, escalated: 0 };

  /** `shift`: ms added to a time before its day in UTC is taken. */
  constructor(first: number, days: number, shift: number) {
    this.#first = first;
    this.#shift = shift;
    this.#days = Array.from({ length: days }, (_, n) => ({
      day: toIsoTime((first + n) * DAY_MS).slice(0, 10),
      created: 0,
      ...NO_JOBS,
      ...NO_TOKENS,
    }));
  }

  /** `day`: of the period, from 0. */
  created(day: number, count: number): void {
    const found = this.#days[day];
    if (found) found.created += count;
  }

  /**
   * Jobs of the period, each once, with their tokens and the number of sessions without a report.
   */
  jobs(
    jobs: readonly CountedJob[],
    tokens: readonly DayTokens[],
    unreported: readonly DayUnreported[],
  ): void {
    this.#jobs += jobs.length;
    for (const { state, since, createdAt, workflow, isSubRun, hasEscalated } of jobs) {
      if (!isOutcome(state)) continue;
      const day = this.#day(Math.floor((since + this.#shift) / DAY_MS));
      if (day) day[state] += 1;
      if (day && state === 'failed') {
        this.#failures.failed += 1;
        this.#failures.subRuns += isSubRun ? 1 : 0;
        this.#failures.escalated += hasEscalated ? 1 : 0;
      }
      this.#workflow(workflow)[state] += 1;
      this.#spent.set(workflow, (this.#spent.get(workflow) ?? 0) + since - createdAt);
    }
    const workflowOf = new Map(jobs.map(({ id, workflow }) => [id, workflow]));
    for (const { id, day, input, output } of tokens) {
      for (const sum of [this.#day(day), this.#workflow(workflowOf.get(id) ?? '')]) {
        if (!sum) continue;
        sum.inputTokens += input;
        sum.outputTokens += output;
      }
    }
    for (const { id, day, sessions } of unreported) {
      for (const sum of [this.#day(day), this.#workflow(workflowOf.get(id) ?? '')])
        if (sum) sum.unreported += sessions;
    }
  }

  waits(waits: readonly Wait[]): void {
    for (const { kind, count, total, longest } of waits) {
      const known = this.#waits.get(kind) ?? { kind, count: 0, total: 0, longest: 0 };
      this.#waits.set(kind, {
        kind,
        count: known.count + count,
        total: known.total + total,
        longest: Math.max(known.longest, longest),
      });
    }
  }

  all(): Pick<Statistics, 'days' | 'workflows' | 'waits' | 'jobs' | 'failures'> {
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

  #day(number: number): StatisticsDay | undefined {
    return this.#days[number - this.#first];
  }

  #workflow(workflow: string): StatisticsWorkflow {
    const known = this.#workflows.get(workflow) ?? {
      workflow,
      ...NO_JOBS,
      meanMs: 0,
      ...NO_TOKENS,
    };
    this.#workflows.set(workflow, known);
    return known;
  }
}

const countEndedJobs = ({ complete, partial, failed, cancelled }: StatisticsWorkflow): number =>
  complete + partial + failed + cancelled;
