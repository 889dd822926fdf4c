import type { QuotaRun } from './simulateQuota.ts';

/** Between the first refusal and its commit, a session may begin whose slot was granted before, ms. */
const GRANTED_MS = 4_000;
/** Time from the reset within which all jobs move, ms. */
const MOVING_MS = 60_000;
/** Between the probe and the second wave of jobs, ms. */
const WAVE_MS = 10_000;
/** The probe and the first wave. */
const FIRST_JOBS = 2;

/** Jobs that fail before the account is known to. */
const FAILED_JOBS = 4;
/** From the first session to the one that shows it, ms. */
const SEEN_MS = 60_000;
/** Most sessions that try a failing account until its key is right. */
const PROBES = 6;

interface QuotaTruth {
  sentence: string;
  holds(run: QuotaRun): boolean;
}

const jobsWithin = ({ starts }: QuotaRun, from: number, ms: number): number =>
  new Set(starts.filter(({ at }) => at >= from && at < from + ms).map(({ jobId }) => jobId)).size;

/** What must be true of every account that has met a limit. */
export const POOL_TRUTHS: readonly QuotaTruth[] = [
  {
    sentence: 'no session starts between the limit and its reset',
    holds: ({ starts, limitAt, resetAt }) =>
      !starts.some(({ at }) => at > limitAt + GRANTED_MS && at < resetAt),
  },
  {
    sentence: 'each job meets the limit once at most',
    holds: ({ refused, jobs }) => refused <= jobs.length,
  },
  {
    sentence: 'a probe goes first, and jobs follow in waves',
    holds(run) {
      const first = run.starts.find(({ at }) => at >= run.resetAt)?.at;
      return first === undefined || jobsWithin(run, first, WAVE_MS) <= FIRST_JOBS;
    },
  },
  {
    sentence: 'every job moves within a minute of the reset',
    holds: (run) => jobsWithin(run, run.resetAt, MOVING_MS) === run.jobs.length,
  },
  {
    sentence: 'no job fails',
    holds: ({ statuses }) => statuses.every((status) => status === 'complete'),
  },
];

/** What must be true of every account whose key is refused from the start. */
export const FAILING_TRUTHS: readonly QuotaTruth[] = [
  {
    sentence: 'four jobs fail before the account is seen to fail, and the others complete',
    holds: ({ jobs, statuses }) =>
      statuses.filter((status) => status === 'failed').length === FAILED_JOBS &&
      statuses.filter((status) => status === 'complete').length === jobs.length - FAILED_JOBS,
  },
  {
    sentence: 'a failing account is tried now and then only',
    holds({ starts, resetAt }) {
      const [first = 0] = starts.map(({ at }) => at);
      return starts.filter(({ at }) => at > first + SEEN_MS && at < resetAt).length <= PROBES;
    },
  },
];

/** What is not true of a run, the promises of the runner included. */
export const brokenBy = (run: QuotaRun, truths = POOL_TRUTHS): string[] => [
  ...truths.filter(({ holds }) => !holds(run)).map(({ sentence }) => sentence),
  ...run.broken,
];
