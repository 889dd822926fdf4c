import type { BudgetAccess } from '../contract/budgets.ts';
import type { CostView } from '../contract/costs.ts';
import type { PoolService } from '../contract/pools.ts';
import { iso } from '../domain/isoTime.ts';
import { jobPage } from '../domain/jobPage.ts';
import { shortDuration } from '../domain/shortDuration.ts';
import type { JobListReader, ListedJob } from '../durable/sqlite/jobListReader.ts';
import type { RowReader } from '../durable/sqlite/rowReader.ts';
import { SvcError } from '../lib/errors.ts';
import type { BudgetView } from '../schema/budget.ts';
import type { JobSummary } from '../schema/job.ts';
import { DEFAULT_REPORT_SINCE } from '../domain/reportSince.ts';
import type { Report, ReportLinks, ReportQuery } from '../schema/report.ts';
import { prsOf } from './jobRows.ts';
import { summaryOf } from './jobView.ts';
import { approvalWaiting, finishedOf, stopOf } from './reportStops.ts';

/** Jobs that are read at once. */
const PAGE = 200;
/** Most rows of costs. */
const MAX_COSTS = 100;
/** Most jobs of each list, and jobs that have stopped for a budget. */
const MAX_LISTED = 500;

type State = ListedJob['state'];

interface ReportDeps extends Pick<BudgetAccess, 'budgets'>, CostView, Pick<PoolService, 'pools'> {
  list: Pick<JobListReader, 'page' | 'total'>;
  rows: RowReader;
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

/** What the first jobs are that are something to `what`, at most {@link MAX_LISTED}. */
function first<Of>(jobs: Iterable<JobSummary>, what: (job: JobSummary) => Of | null): Of[] {
  const found: Of[] = [];
  for (const job of jobs) {
    const one = what(job);
    if (one !== null && found.push(one) === MAX_LISTED) break;
  }
  return found;
}

/** GET /report: what happened since a time, what has stopped and why; made of committed rows alone. */
export const createReport = (deps: ReportDeps) => {
  const { list, rows, now } = deps;

  /** Jobs in these states, newest first; those that are so from `since` on, where it is given. */
  function* jobsIn(states: readonly State[], since?: number): Generator<JobSummary> {
    const filter = { states, ...(since === undefined ? {} : { since }) };
    for (let offset = 0; ; offset += PAGE) {
      const page = list.page(filter, { by: 'since', desc: true }, { limit: PAGE, offset });
      yield* page.map(summaryOf);
      if (page.length < PAGE) return;
    }
  }

  const total = (state: State, since?: number): number =>
    list.total({ states: [state], ...(since === undefined ? {} : { since }) });

  const withLinks = <Of extends { jobId: string }>(of: Of): Of & ReportLinks => ({
    ...of,
    page: jobPage(of.jobId),
    pullRequests: prsOf(rows, of.jobId).map(({ prId, url, state }) => ({ prId, url, state })),
  });

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
      const waiting = [...jobsIn(['waiting'])];
      const spent = deps.costs({ by: 'job', since: iso(since), limit: MAX_COSTS });
      return {
        since: iso(since),
        until: iso(at),
        jobs: {
          complete: total('complete', since),
          partial: total('partial', since),
          failed: total('failed', since),
          cancelled: total('cancelled', since),
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
        stops: first([...jobsIn(['failed'], since), ...waiting], stopOf).map(withLinks),
        approvals: first([...waiting].reverse(), approvalWaiting).map(withLinks),
        finished: first(jobsIn(['complete', 'partial', 'cancelled'], since), finishedOf).map(
          withLinks,
        ),
        pools: deps.pools(),
      };
    },
  };
};
