import type { InboxItem } from './inboxItems.ts';

/** Which items of the inbox are shown; null = all. */
export interface InboxFilter {
  repo: string | null;
  workflow: string | null;
}

export const NO_INBOX_FILTER: InboxFilter = { repo: null, workflow: null };

/** The repository of a job, or whose layer a proposal changes. */
const readItemRepo = (item: InboxItem): string | null =>
  item.job === null ? item.proposal.repo : item.job.repoSlug;
const readItemWorkflow = ({ job }: InboxItem): string | null => job?.workflowPath ?? null;

export const matchesInboxFilter = (item: InboxItem, { repo, workflow }: InboxFilter): boolean =>
  (repo === null || readItemRepo(item) === repo) &&
  (workflow === null || readItemWorkflow(item) === workflow);

const listValues = (values: readonly (string | null)[]): string[] =>
  [...new Set(values.filter((value) => value !== null))].sort((a, b) => a.localeCompare(b));

/** What the items can be filtered by. */
export const listInboxChoices = (
  items: readonly InboxItem[],
): { repos: string[]; workflows: string[] } => ({
  repos: listValues(items.map(readItemRepo)),
  workflows: listValues(items.map(readItemWorkflow)),
});

/** The filter as text for the browser's storage. */
export const formatInboxFilter = (filter: InboxFilter): string => JSON.stringify(filter);

/** Reads a stored filter; what it does not know filters nothing. */
export function parseInboxFilter(text: string | null): InboxFilter {
  try {
    const { repo, workflow } = Object(JSON.parse(text ?? '{}'));
    return {
      repo: typeof repo === 'string' ? repo : null,
      workflow: typeof workflow === 'string' ? workflow : null,
    };
  } catch {
    return NO_INBOX_FILTER;
  }
}
