import type { InboxItem } from './inboxItems.ts';

/** Which items of the inbox are shown; null = all. */
export interface InboxFilter {
  repo: string | null;
  workflow: string | null;
  /** Only what names this person: as a reviewer of the job, or as who asked for it. */
  person: string | null;
}

export const NO_INBOX_FILTER: InboxFilter = { repo: null, workflow: null, person: null };

/** The repository of a job, or whose layer a proposal changes. */
const readItemRepo = (item: InboxItem): string | null =>
  item.job === null ? item.proposal.repo : item.job.repoSlug;
const readItemWorkflow = ({ job }: InboxItem): string | null => job?.workflowPath ?? null;
const listItemPeople = ({ job }: InboxItem): (string | null)[] =>
  job === null ? [] : [job.createdBy ?? null, ...(job.reviewers ?? [])];

/** Names that differ only in case are one person: a forge and a team may write them differently. */
const isSameName = (a: string | null, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

export const matchesInboxFilter = (
  item: InboxItem,
  { repo, workflow, person }: InboxFilter,
): boolean =>
  (repo === null || readItemRepo(item) === repo) &&
  (workflow === null || readItemWorkflow(item) === workflow) &&
  (person === null || listItemPeople(item).some((name) => isSameName(name, person)));

const listValues = (values: readonly (string | null)[]): string[] =>
  [...new Set(values.filter((value) => value !== null))].sort((a, b) => a.localeCompare(b));

/** One spelling of each name, by name; `me` first. */
function listPeople(names: readonly (string | null)[], me: string | null): string[] {
  const others = listValues(names).filter((name) => me === null || !isSameName(name, me));
  const once = others.filter(
    (name, n) => others.findIndex((other) => isSameName(other, name)) === n,
  );
  return me === null ? once : [me, ...once];
}

/** What the items can be filtered by; `me`: the person who is logged in, null = not known. */
export const listInboxChoices = (
  items: readonly InboxItem[],
  me: string | null,
): { repos: string[]; workflows: string[]; people: string[] } => ({
  repos: listValues(items.map(readItemRepo)),
  workflows: listValues(items.map(readItemWorkflow)),
  people: listPeople(items.flatMap(listItemPeople), me),
});

/** The filter as text for the browser's storage. */
export const formatInboxFilter = (filter: InboxFilter): string => JSON.stringify(filter);

/** Reads a stored filter; what it does not know filters nothing. */
export function parseInboxFilter(text: string | null): InboxFilter {
  try {
    const { repo, workflow, person } = Object(JSON.parse(text ?? '{}'));
    return {
      repo: typeof repo === 'string' ? repo : null,
      workflow: typeof workflow === 'string' ? workflow : null,
      person: typeof person === 'string' ? person : null,
    };
  } catch {
    return NO_INBOX_FILTER;
  }
}
