import { formatCsv } from '../../../src/base/text/formatCsv.ts';
import { formatCost } from '../../../src/base/spending/formatCost.ts';
import type { Client } from '../../../src/api/client/client.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import type { JobsQuery } from '../../../src/contract/schema/api/queries.ts';

/** Jobs of one request: reading them must not hold up the runner. */
const PAGE = 200;

const COLUMNS: readonly (readonly [name: string, of: (job: JobSummary) => string])[] = [
  ['id', ({ id }) => id],
  ['title', ({ description }) => description.split('\n', 1)[0] ?? ''],
  [
    'status',
    ({ ending, subRunFailures, status }) => ending?.text ?? subRunFailures?.text ?? status,
  ],
  ['needs', ({ needs }) => needs?.ask ?? ''],
  ['reason', ({ reason }) => reason ?? ''],
  ['phase', ({ phase }) => phase],
  ['repository', ({ repoSlug }) => repoSlug ?? ''],
  ['workflow', ({ workflowPath }) => workflowPath],
  ['parent', ({ parentJobId }) => parentJobId ?? ''],
  ['cost', ({ cost }) => (cost ? formatCost(cost) : '')],
  ['since', ({ since }) => since],
  ['created', ({ createdAt }) => createdAt],
  ['updated', ({ updatedAt }) => updatedAt],
];

export const toJobsCsv = (jobs: readonly JobSummary[]): string =>
  formatCsv([
    COLUMNS.map(([name]) => name),
    ...jobs.map((job) => COLUMNS.map(([, of]) => of(job))),
  ]);

export const toJobsJson = (jobs: readonly JobSummary[]): string =>
  `${JSON.stringify(jobs, null, 2)}\n`;

/** All jobs that match, in their order; `progress` is called with how many were read. */
export async function readAllJobs(
  client: Pick<Client, 'jobs'>,
  query: Omit<JobsQuery, 'limit' | 'offset'>,
  progress: (read: number, total: number) => void,
): Promise<JobSummary[]> {
  const all = new Map<string, JobSummary>();
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const page = await client.jobs({ ...query, limit: PAGE, offset });
    total = page.total;
    // A job that moves while it is read may come twice.
    for (const job of page.jobs) all.set(job.id, job);
    progress(all.size, total);
  }
  return [...all.values()];
}

/** Gives the text to the person as a file. */
export function downloadText(name: string, mime: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: mime }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
