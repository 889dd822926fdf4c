import type { Client } from '../../../src/api/client/client.ts';

/** Jobs that are listed for their repositories, the newest ones. */
const LISTED = 100;
/** Jobs that are read for their reviewers, the newest ones. */
const READ = 8;
const MAX_SUGGESTED = 12;

/** What was typed for earlier jobs, the latest first. */
export interface Suggestions {
  repos: string[];
  reviewers: string[];
}

export const NO_SUGGESTIONS: Suggestions = { repos: [], reviewers: [] };

const listDistinctTexts = (texts: readonly string[]): string[] =>
  [...new Set(texts.filter((text) => text !== ''))].slice(0, MAX_SUGGESTED);

const filterNames = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];

/** Suggestions for a new job; none if earlier jobs cannot be read: the form works without them. */
export async function suggestFromEarlierJobs(
  client: Pick<Client, 'jobs' | 'job'>,
): Promise<Suggestions> {
  try {
    const { jobs } = await client.jobs({ limit: LISTED });
    const newestJobs = await Promise.all(
      jobs
        .filter(({ parentJobId }) => parentJobId === null)
        .slice(0, READ)
        .map(({ id }) => client.job(id)),
    );
    return {
      repos: listDistinctTexts(jobs.map(({ repoSlug }) => repoSlug ?? '')),
      reviewers: listDistinctTexts(
        newestJobs.flatMap(({ params }) => filterNames(params['reviewers'])),
      ),
    };
  } catch {
    return NO_SUGGESTIONS;
  }
}
