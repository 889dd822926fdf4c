import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../../src/base/settings/retention.ts';
import { Looks } from '../../support/looks.ts';
import { type MonthHome, openMonthHome, type Rules } from './monthHome.ts';
import { type Sizes, measureSizes } from './sizes.ts';
import { LEAVES_WORK, WORKFLOW_PATH } from './worker.ts';

/** One job in so many leaves work that is not pushed; one in so many works on a repository at GitHub. */
const WORK_LEFT_EVERY = 10;
const REMOTE_EVERY = 5;
const WEEK_DAYS = 7;
/** How long a day may take, ms. */
const DAY_PATIENCE_MS = 600_000;

export interface MonthOptions {
  days: number;
  jobsPerDay: number;
  /** null = nothing is ever cleared away. */
  rules: Rules | null;
  /** Called after each day. */
  reported?: (line: string) => void;
}

export interface Month {
  /** At the end of each day, before it is cleared up, when it is largest. */
  days: Sizes[];
  /** Jobs that have completed. */
  completed: number;
  /** Jobs that left work, and those whose work is in the repository or still in their folder. */
  leftWork: number;
  found: number;
  /** Why runs of the schedule ended early, and what they left. */
  problems: string[];
  /** The log of the first job of all, as it is at the end. */
  firstLog: string;
}

/** Plays so many days of jobs, each of them real, and measures the home at the end of each. */
export async function simulateMonth(options: MonthOptions): Promise<Month> {
  const { days, jobsPerDay, rules, reported = () => {} } = options;
  await using month = await openMonthHome(rules);
  const sizes: Sizes[] = [];
  const jobs: string[] = [];
  const leftWork: string[] = [];
  let completed = 0;
  for (let day = 0; day < days; day++) {
    const remote = `acme/week-${Math.floor(day / WEEK_DAYS) + 1}`;
    if (day % WEEK_DAYS === 0) month.addRemote(remote);
    const today: string[] = [];
    for (let n = 0; n < jobsPerDay; n++) {
      const leaves = n % WORK_LEFT_EVERY === 0;
      const isRemote = n % REMOTE_EVERY === 1;
      const { jobId } = await month.client.createJob({
        type: 'job',
        workflowPath: WORKFLOW_PATH,
        params: {
          repoSlug: isRemote ? remote : 'shop',
          gitProvider: isRemote ? 'github' : 'local',
          description: `Job ${n} of day ${day}. ${leaves ? LEAVES_WORK : ''}`,
        },
      });
      today.push(jobId);
      if (leaves) leftWork.push(jobId);
    }
    completed += await allEnded(month, today);
    if (jobsPerDay > 1) month.fetched(remote);
    jobs.push(...today);
    sizes.push(await measureSizes(month.home));
    month.clock.leap(DAY_MS);
    if (rules) await clearedUp(month, day);
    reported(`day ${day + 1}, ${jobs.length} jobs: ${JSON.stringify(sizes.at(-1))}`);
  }
  const { runs } = await month.client.gcSchedule();
  return {
    days: sizes,
    completed,
    leftWork: leftWork.length,
    found: leftWork.filter((job) => isFound(month, job)).length,
    problems: runs.flatMap(({ problem, left }) => [
      ...(problem === null ? [] : [problem]),
      ...left.map(({ path, reason }) => `${path}: ${reason}`),
    ]),
    firstLog: await month.readLog(jobs[0] ?? ''),
  };
}

/** Waits until all have ended; answers how many have completed. */
async function allEnded({ client }: MonthHome, jobs: readonly string[]): Promise<number> {
  const deadline = Date.now() + DAY_PATIENCE_MS;
  let completed = 0;
  for (const id of jobs) {
    const looks = new Looks();
    for (;;) {
      const { ended, status } = await client.job(id);
      if (ended) {
        if (status === 'complete') completed += 1;
        break;
      }
      if (Date.now() > deadline) throw new Error(`${id} is still ${status}`);
      await looks.pause();
    }
  }
  return completed;
}

/** Waits until the run of the schedule that has fallen due is over. */
async function clearedUp({ client, clock }: MonthHome, day: number): Promise<void> {
  const deadline = Date.now() + DAY_PATIENCE_MS;
  const looks = new Looks();
  for (;;) {
    const { runs, nextAt } = await client.gcSchedule();
    if (runs.length > day && nextAt !== null && Date.parse(nextAt) > clock.now()) return;
    if (Date.now() > deadline) throw new Error(`the cleanup of day ${day + 1} did not end`);
    await looks.pause();
  }
}

/** Whether the work of a job is saved in the repository, or is in its folder still. */
function isFound({ home, repository }: MonthHome, job: string): boolean {
  if (existsSync(join(home, 'work', job, 'shop', 'more.txt'))) return true;
  const refs = repository.git('for-each-ref', '--format=%(refname)', `refs/svc/kept/${job}`);
  const files = refs.split('\n').find((ref) => ref.endsWith('/files'));
  return files !== undefined && /more\.txt/.test(repository.git('ls-tree', '--name-only', files));
}
