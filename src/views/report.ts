import type { BudgetAccess } from '../contract/budgets.ts';
import type { CostView } from '../contract/costs.ts';
import type { PoolService } from '../contract/pools.ts';
import { iso } from '../domain/isoTime.ts';
import { shortDuration } from '../domain/shortDuration.ts';
import type { JobListReader, ListedJob, Standing } from '../durable/sqlite/jobListReader.ts';
import { SvcError } from '../lib/errors.ts';
import type { BudgetView } from '../schema/budget.ts';
import type { JobSummary } from '../schema/job.ts';
import { DEFAULT_REPORT_SINCE } from '../domain/reportSince.ts';
import type { Report, ReportQuery } from '../schema/report.ts';
import { summaryOf } from './jobView.ts';
import { approvalWaiting, stopOf } from './reportStops.ts';

/** Jobs that are read at once. */
const PAGE = 200;
/** Most rows of costs. */
const MAX_COSTS = 100;
/** Most stops and approvals that are listed, and jobs that have stopped for a budget. */
const MAX_LISTED = 500;

interface ReportDeps extends Pick<BudgetAccess, 'budgets'>, CostView, Pick<PoolService, 'pools'> {
  list: Pick<JobListReader, 'page' | 'total'>;
  now(): number;
}

/** Epoch ms of when the report begins. Throws SvcError `bad-argument` for a time that is none. */
function sinceOf(text: string, now: number): number {
  const ago = shortDuration(text);
  const at =
    ago === null ? (/^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN) : now - ago;
  if (Number.isFinite(at) && at <= now) return at;
  throw new SvcError(
    'bad-argument',
    `The report cannot begin at "${text}": give a time that is over, such as 2026-11-20T18:00:00Z, or how long ago, such as 12h or 2d.`,
  );
}

const keyOf = ({ scope, key, window, metric }: BudgetView): string =>
  JSON.stringify([scope, key, window, metric]);

/** GET /report: what happened since a time, what has stopped and why; made of committed rows alone. */
export const createReport = (deps: ReportDeps) => {
  const { list, now } = deps;

  /** Jobs that are so now, newest first; from `since` on, where one is given. */
  function* jobsThat(
    is: readonly Standing[],
    since = Number.NEGATIVE_INFINITY,
  ): Generator<JobSummary> {
    for (let offset = 0; ; offset += PAGE) {
      const page = list.page({ is }, { by: 'since', desc: true }, { limit: PAGE, offset });
      for (const job of page) {
        if (job.since < since) return;
        yield summaryOf(job);
      }
      if (page.length < PAGE) return;
    }
  }

  const count = (is: ListedJob['state'], since: number): number =>
    [...jobsThat([is], since)].length;
  const total = (is: ListedJob['state']): number => list.total({ is: [is] });

  /** Those of all jobs, and of each job that has stopped for one. */
  const budgetsWith = (waiting: readonly JobSummary[]): BudgetView[] => {
    const stopped = waiting.filter(({ parked }) => parked?.kind === 'budget').slice(0, MAX_LISTED);
    const all = [
      ...deps.budgets({}).budgets,
      ...stopped.flatMap(({ id, parked }) =>
        deps
          .budgets({ job: id })
          .budgets.filter(
            ({ scope, metric }) =>
              scope === parked?.exceeded?.scope && metric === parked.exceeded.metric,
          ),
      ),
    ];
    return [...new Map(all.map((budget) => [keyOf(budget), budget])).values()];
  };

  return {
    report({ since: asked = DEFAULT_REPORT_SINCE }: ReportQuery): Report {
      const at = now();
      const since = sinceOf(asked, at);
      // The list counts those that need a person as that and as nothing else.
      const waiting = [...jobsThat(['needs-you', 'waiting'])].filter(({ ended }) => !ended);
      const failed = [...jobsThat(['needs-you', 'failed'], since)].filter(({ ended }) => ended);
      const spent = deps.costs({ by: 'job', since: iso(since), limit: MAX_COSTS });
      return {
        since: iso(since),
        until: iso(at),
        jobs: {
          complete: count('complete', since),
          partial: count('partial', since),
          failed: failed.length,
          cancelled: count('cancelled', since),
          working: total('working'),
          queued: total('queued'),
          waiting: waiting.length,
        },
        cost: spent.sum,
        costs: spent.rows.map(({ keys, label, ...cost }) => ({
          jobId: keys[0] ?? null,
          title: label,
          cost,
        })),
        costsOf: spent.total,
        budgets: budgetsWith(waiting),
        stops: [...waiting, ...failed].flatMap((job) => stopOf(job) ?? []).slice(0, MAX_LISTED),
        approvals: waiting
          .flatMap((job) => approvalWaiting(job) ?? [])
          .reverse()
          .slice(0, MAX_LISTED),
        pools: deps.pools(),
      };
    },
  };
};
