import { createClient } from '../../src/api/client/client.ts';
import { ClientError } from '../../src/api/client/problem.ts';
import type { Report } from '../../src/contract/schema/api/report.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import type { BudgetView } from '../../src/contract/schema/policy/budget.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { OWN_CLIENT } from '../../src/base/http/ownHeaders.ts';
import { toIsoTime } from '../../src/base/time/toIsoTime.ts';
import type { Io } from '../io.ts';
import { resolveConnection } from './resolveConnection.ts';

/** Most jobs that are named; `svc jobs --needs-me` lists all. */
const MOST_ASKS = 5;

/** A job that stays where it is until a person acts. */
export interface JobAsk {
  jobId: string;
  title: string;
  /** What it waits for, such as `approval of planning`. */
  what: string;
  /** Names of its reviewers, else of who asked for the job, as far as known. */
  people: string[];
  /** ISO 8601. */
  since: string;
  /** What continues it or shows it. */
  command: string;
}

export interface RunnerWork {
  jobs: Pick<Report['jobs'], 'working' | 'queued' | 'waiting'>;
  needs: Report['needs'];
  /** The first of those that need a person, longest wait first. */
  asks: JobAsk[];
  /** Since midnight UTC, as the budget of the day counts. */
  today: {
    cost: Report['cost'];
    /** The cap on dollars; null = none is set. */
    budget: BudgetView | null;
  };
}

type NamedJob = Pick<JobSummary, 'id' | 'createdBy' | 'reviewers'>;

const listPeople = ({ createdBy, reviewers = [] }: Omit<NamedJob, 'id'>): string[] =>
  reviewers.length > 0 || createdBy === undefined ? reviewers : [createdBy];

function listAsks({ approvals, reviews, stops }: Report): Omit<JobAsk, 'people'>[] {
  const asks = [
    ...approvals.map((job) => ({ ...job, what: `approval of ${job.phase}` })),
    ...reviews.map((job) => ({ ...job, what: job.reason })),
    ...stops.filter(({ until }) => until === null).map((job) => ({ ...job, what: job.why })),
  ];
  return asks
    .toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since))
    .slice(0, MOST_ASKS)
    .map(({ jobId, title, what, since, command }) => ({ jobId, title, what, since, command }));
}

function toRunnerWork(
  report: Report,
  waiting: readonly Omit<JobAsk, 'people'>[],
  waitingJobs: readonly NamedJob[],
): RunnerWork {
  const { jobs, needs, cost, budgets } = report;
  const peopleById = new Map(waitingJobs.map((job) => [job.id, listPeople(job)]));
  const budget = budgets.find(({ scope, metric }) => scope === 'day' && metric === 'usd') ?? null;
  return {
    jobs: { working: jobs.working, queued: jobs.queued, waiting: jobs.waiting },
    needs,
    asks: waiting.map((ask) => ({ ...ask, people: peopleById.get(ask.jobId) ?? [] })),
    today: { cost, budget },
  };
}

/**
 * What the runner of this home does, and what waits for a person. A text = why it does not say: a status
 * is complete without it. `version`: that of this program.
 */
export async function readRunnerWork(io: Io, version: string): Promise<RunnerWork | string> {
  const env = { ...io.env, SVC_URL: undefined, SVC_TOKEN: undefined };
  try {
    const connection = await resolveConnection({ env, homeDir: io.homeDir, url: undefined });
    const client = createClient({ ...connection, userAgent: `${OWN_CLIENT}${version}` });
    const midnight = `${toIsoTime(io.now()).slice(0, 10)}T00:00:00.000Z`;
    const report = await client.report({ since: midnight });
    const waiting = listAsks(report);
    const ids = waiting.map(({ jobId }) => jobId).join(',');
    const waitingJobs = ids === '' ? [] : (await client.jobs({ ids })).jobs;
    return toRunnerWork(report, waiting, waitingJobs);
  } catch (error) {
    if (error instanceof SvcError || error instanceof ClientError) return error.message;
    throw error;
  }
}
