import type { JobSummary } from '../../../src/schema/job.ts';
import { type Tone, TONES, toneOf } from '../jobText.ts';

/** What of the list is shown. */
export interface Filter {
  /** Words that must all be in description, id, repository, phase, status or reason. */
  text: string;
  /** Empty = all. */
  tones: readonly Tone[];
  /** Path of a workflow; null = all. */
  workflow: string | null;
  /** Slug of a repository; null = all. */
  repo: string | null;
  /** False: the parts of campaigns are left out. */
  subRuns: boolean;
}

type Query = Readonly<Record<string, string>>;

const isTone = (text: string): text is Tone => TONES.some((tone) => tone === text);

/** The filter that the address asks for; what it does not know is left out. */
export const filterOf = (query: Query): Filter => ({
  text: query['q'] ?? '',
  tones: (query['is'] ?? '').split(',').filter(isTone),
  workflow: query['workflow'] || null,
  repo: query['repo'] || null,
  subRuns: query['parts'] === 'yes',
});

/** The filter as part of the address; what is left at its default is left out. */
export const queryOf = ({
  text,
  tones,
  workflow,
  repo,
  subRuns,
}: Filter): Record<string, string> => ({
  ...(text === '' ? {} : { q: text }),
  ...(tones.length === 0 ? {} : { is: tones.join(',') }),
  ...(workflow === null ? {} : { workflow }),
  ...(repo === null ? {} : { repo }),
  ...(subRuns ? { parts: 'yes' } : {}),
});

/**
 * What is searched of a job, in lower case. Made once for each: searching thousands at every key
 * must be fast.
 */
const searched = new WeakMap<JobSummary, string>();

function textOf(job: JobSummary): string {
  const known = searched.get(job);
  if (known !== undefined) return known;
  const { id, description, repoSlug, phase, status, workflowPath, parked } = job;
  const text = [id, description, repoSlug, phase, status, workflowPath, parked?.reason]
    .join('\n')
    .toLowerCase();
  searched.set(job, text);
  return text;
}

/** The jobs that fit, in their order. */
export function filtered(jobs: readonly JobSummary[], filter: Filter): JobSummary[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return jobs.filter(
    (job) =>
      (filter.subRuns || job.parentJobId === null) &&
      (filter.workflow === null || job.workflowPath === filter.workflow) &&
      (filter.repo === null || job.repoSlug === filter.repo) &&
      (filter.tones.length === 0 || filter.tones.includes(toneOf(job))) &&
      words.every((word) => textOf(job).includes(word)),
  );
}

/** The jobs of each tone, in the order of TONES. */
export function byTone(jobs: readonly JobSummary[]): Record<Tone, JobSummary[]> {
  const columns = Object.fromEntries(TONES.map((tone) => [tone, [] as JobSummary[]])) as Record<
    Tone,
    JobSummary[]
  >;
  for (const job of jobs) columns[toneOf(job)].push(job);
  return columns;
}

/** Each value once, sorted: what a person can choose from. */
export const choices = (
  jobs: readonly JobSummary[],
  of: (job: JobSummary) => string | null,
): string[] => [...new Set(jobs.map(of))].filter((value): value is string => value !== null).sort();
