import type { Runner } from '../../../contract/runner/runner.ts';
import { OWN_SCOPES, type BudgetScope } from '../../../base/spending/budgetScopes.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { JobListFilter } from '../../store/queries/jobListFilter.ts';
import type { JobListReader } from '../../store/queries/jobListReader.ts';
import type { ListedJob } from '../../store/queries/toListedJob.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import type { BudgetView } from '../../../contract/schema/policy/budget.ts';
import type { JobSummary } from '../../../contract/schema/job/job.ts';
import { DEFAULT_REPORT_SINCE } from '../../../base/time/reportSince.ts';
import type { Report, ReportLinks, ReportQuery } from '../../../contract/schema/api/report.ts';
import { parseBeginning } from '../../../base/time/parseBeginning.ts';
import type { LastOutputs } from '../history/lastOutputs.ts';
import { listPrMappings } from '../jobRows.ts';
import { toJobSummary } from '../list/jobSummary.ts';
import {
  toReportApproval,
  toReportFinished,
  STOP_KINDS,
  toReportStop,
  toReportReview,
} from './reportStops.ts';

/** Where the dashboard shows a job: a path at the address of the runner. */
const toJobPagePath = (jobId: string): string => `/dashboard/#/jobs/${encodeURIComponent(jobId)}`;

const MAX_COSTS = 100;
const MAX_LISTED = 200;
const MAX_OWN_BUDGETS = 100;

type State = ListedJob['state'];

interface ReportDeps extends Pick<Runner, 'budgets' | 'costs' | 'accounts'> {
  list: Pick<JobListReader, 'page' | 'total' | 'counts'>;
  countWaitingProposals(): number;
  rows: RowReader;
  now(): number;
  lastOutputs: Pick<LastOutputs, 'toLastOutputMember'>;
}

type OfBudget = Pick<BudgetView, 'scope' | 'key' | 'window' | 'metric'>;

const toBudgetKey = ({ scope, key, window, metric }: OfBudget): string =>
  JSON.stringify([scope, key, window, metric]);

/** Budgets of day, week, runner and repositories are in every report. */
const isOwnScope = (scope: BudgetScope): boolean => OWN_SCOPES.some((own) => own === scope);

/** GET /report: what happened since a time, what has stopped and why; from committed rows alone. */
export const createReport = (deps: ReportDeps) => {
  const { list, rows, now, lastOutputs } = deps;

  const jobsThat = (filter: JobListFilter, desc = true): JobSummary[] =>
    list
      .page(filter, { by: 'since', desc }, { limit: MAX_LISTED, offset: 0 })
      .map((listedJob) => toJobSummary(listedJob));

  const total = (state: State, since?: number): number =>
    list.total({ states: [state], ...(since === undefined ? {} : { since }) });

  const withLinks = <Of extends { jobId: string }>(of: Of): Of & ReportLinks => ({
    ...of,
    page: toJobPagePath(of.jobId),
    pullRequests: listPrMappings(rows, of.jobId).map(({ prId, url, state }) => ({
      prId,
      url,
      state,
    })),
  });

  /** Budgets of all jobs, and those of single jobs that have stopped one. */
  const budgetsWith = (stoppedJobs: readonly JobSummary[]): BudgetView[] => {
    const own = stoppedJobs.flatMap(({ id, parked }) =>
      parked?.exceeded && isOwnScope(parked.exceeded.scope) ? [[id, parked.exceeded] as const] : [],
    );
    const once = [...new Map(own.map((one) => [toBudgetKey(one[1]), one])).values()];
    const all = [
      ...deps.budgets({}).budgets,
      ...once
        .slice(0, MAX_OWN_BUDGETS)
        .flatMap(([id, { scope, metric }]) =>
          deps
            .budgets({ job: id })
            .budgets.filter((budget) => budget.scope === scope && budget.metric === metric),
        ),
    ];
    return [...new Map(all.map((budget) => [toBudgetKey(budget), budget])).values()];
  };

  return {
    async report({ since: requestedSince = DEFAULT_REPORT_SINCE }: ReportQuery): Promise<Report> {
      const at = now();
      const since = parseBeginning('The report', requestedSince, at);
      const stoppedJobs = jobsThat({ states: ['waiting'], waitsFor: STOP_KINDS });
      const failedJobs = jobsThat({ states: ['failed'], since });
      const stops = [...stoppedJobs, ...failedJobs].sort((a, b) => (a.since < b.since ? 1 : -1));
      const asking = jobsThat({ states: ['waiting'], waitsFor: ['approval'] }, false);
      const reviews = jobsThat({ needs: 'review' }, false);
      const jobCounts = list.counts({});
      const ofFailed = { states: ['failed' as const], since };
      const finishedJobs = jobsThat({ states: ['complete', 'partial', 'cancelled'], since });
      const costs = await deps.costs({ by: 'job', since: toIsoTime(since), limit: MAX_COSTS });
      return {
        since: toIsoTime(since),
        until: toIsoTime(at),
        jobs: {
          complete: total('complete', since),
          partial: total('partial', since),
          failed: total('failed', since),
          cancelled: total('cancelled', since),
          working: total('working'),
          queued: total('queued'),
          waiting: total('waiting'),
        },
        failures: {
          failed: total('failed', since),
          subRuns: list.total({ ...ofFailed, onlySubRuns: true }),
          escalated: list.total({ ...ofFailed, status: 'escalated' }),
        },
        needs: {
          me: jobCounts.standings['needs-you'],
          ...jobCounts.needs,
          snoozed: list.total({ needs: 'snoozed' }),
          proposals: deps.countWaitingProposals(),
        },
        cost: costs.sum,
        costs: costs.rows.map(({ keys, label, ...cost }) => ({
          jobId: keys[0] ?? null,
          title: label,
          cost,
        })),
        costsOf: costs.total,
        budgets: budgetsWith(stoppedJobs),
        stops: stops
          .slice(0, MAX_LISTED)
          .flatMap((job) => {
            const stop = toReportStop(job);
            return stop === null ? [] : [{ ...stop, ...lastOutputs.toLastOutputMember(job) }];
          })
          .map(withLinks),
        approvals: asking.flatMap((job) => toReportApproval(job) ?? []).map(withLinks),
        reviews: reviews.map(toReportReview).map(withLinks),
        finished: finishedJobs.map(toReportFinished).map(withLinks),
        pools: deps.accounts(),
      };
    },
  };
};
