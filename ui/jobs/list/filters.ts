import { MAX_SEARCH_CHARS } from '../../../src/base/limits/jobLimits.ts';
import type { JobsQuery } from '../../../src/contract/schema/api/queries.ts';
import type { JobCounts } from '../../../src/contract/schema/api/replies.ts';
import { toRouteHash, parseRoute } from '../../shell/navigation/router.ts';
import { type Tone, TONES } from '../jobText.ts';

/** What the list can be sorted by, in words; the first is the default. */
export const SORTS = {
  '-created': 'Newest first',
  created: 'Oldest first',
  since: 'Longest in this state',
  '-since': 'Changed state last',
  title: 'Title',
  '-title': 'Title, descending',
  status: 'Status',
  '-status': 'Status, descending',
  repo: 'Repository',
  '-repo': 'Repository, descending',
  phase: 'Phase',
  '-phase': 'Phase, descending',
  '-cost': 'Highest cost first',
  cost: 'Lowest cost first',
  workflow: 'Workflow',
  '-workflow': 'Workflow, descending',
} as const;
export type Sort = keyof typeof SORTS;
const DEFAULT_SORT: Sort = '-created';

/** What the list can be grouped by, in words. */
export const GROUPS = {
  none: 'No groups',
  state: 'State',
  repo: 'Repository',
  workflow: 'Workflow',
} as const;
export type Group = keyof typeof GROUPS;

export interface Filter {
  /** Words that must all be in description, id, repository, phase, status or reason. */
  text: string;
  /** Empty = all. */
  tones: readonly Tone[];
  /** Path of a workflow; null = all. */
  workflow: string | null;
  /** Slug of a repository; null = all. */
  repo: string | null;
  /** False: sub-runs that need no one are left out. */
  subRuns: boolean;
  sort: Sort;
  group: Group;
}

export const NO_FILTER: Filter = {
  text: '',
  tones: [],
  workflow: null,
  repo: null,
  subRuns: false,
  sort: DEFAULT_SORT,
  group: 'none',
};

type Query = Readonly<Record<string, string>>;
type StandingKey = keyof JobCounts['is'];

/** What the runner calls the tones. */
export const STANDING_OF: Readonly<Record<Tone, StandingKey>> = {
  'needs-you': 'needs-you',
  working: 'working',
  queued: 'queued',
  waiting: 'waiting',
  bad: 'failed',
  partial: 'partial',
  good: 'complete',
  over: 'cancelled',
};

const isTone = (text: string): text is Tone => TONES.some((tone) => tone === text);
const isSort = (text: string | undefined): text is Sort => text !== undefined && text in SORTS;
const isGroup = (text: string | undefined): text is Group => text !== undefined && text in GROUPS;

/** The filter that the address asks for; what it does not know is left out. */
export const parseFilter = (query: Query): Filter => ({
  text: (query['q'] ?? '').slice(0, MAX_SEARCH_CHARS),
  tones: (query['is'] ?? '').split(',').filter(isTone),
  workflow: query['workflow'] || null,
  repo: query['repo'] || null,
  subRuns: query['parts'] === 'yes',
  sort: isSort(query['sort']) ? query['sort'] : DEFAULT_SORT,
  group: isGroup(query['group']) ? query['group'] : 'none',
});

/** The filter as part of the address, without its default values. */
export const toFilterQuery = (filter: Filter): Record<string, string> => {
  const { text, tones, workflow, repo, subRuns, sort, group } = filter;
  return {
    ...(text === '' ? {} : { q: text }),
    ...(tones.length === 0 ? {} : { is: tones.join(',') }),
    ...(workflow === null ? {} : { workflow }),
    ...(repo === null ? {} : { repo }),
    ...(subRuns ? { parts: 'yes' } : {}),
    ...(sort === DEFAULT_SORT ? {} : { sort }),
    ...(group === 'none' ? {} : { group }),
  };
};

/** After so long without scrolling the place in the list goes into the address, ms. */
export const SETTLED_MS = 300;

/** Whether an address leads to this view of the jobs with this filter, wherever in the list. */
export function leadsToList(hash: string, view: 'list' | 'board', filter: Filter): boolean {
  const route = parseRoute(hash);
  if (route.page !== 'jobs' || route.view !== view) return false;
  const there = toFilterQuery(parseFilter(route.query));
  return toRouteHash([], there) === toRouteHash([], toFilterQuery(filter));
}

export const narrowsList = (filter: Filter): boolean => {
  const { text, tones, workflow, repo } = filter;
  return text.trim() !== '' || tones.length > 0 || workflow !== null || repo !== null;
};

/** The query without the states, of all of which the numbers are shown. */
export const toJobSelection = ({ text, workflow, repo, subRuns }: Filter) => ({
  ...(text.trim() === '' ? {} : { q: text.trim() }),
  ...(workflow === null ? {} : { workflow }),
  ...(repo === null ? {} : { repo }),
  ...(subRuns ? {} : { subRuns: 'needing' as const }),
});

export const toJobsQuery = (filter: Filter): Omit<JobsQuery, 'limit' | 'offset'> => ({
  ...toJobSelection(filter),
  ...(filter.tones.length === 0
    ? {}
    : { is: filter.tones.map((tone) => STANDING_OF[tone]).join(',') }),
  ...(filter.sort === DEFAULT_SORT ? {} : { sort: filter.sort }),
});

/** `1234567` → `1,234,567`. */
export const groupDigits = (n: number): string => n.toLocaleString('en');

/** Where in the list one is: `1–24 of 20,000`. `from` and `to` are places, `to` not included. */
export const describeListPlace = (from: number, to: number, total: number): string =>
  total === 0
    ? 'No jobs'
    : to - from >= total
      ? `${groupDigits(total)} ${total === 1 ? 'job' : 'jobs'}`
      : `${groupDigits(from + 1)}–${groupDigits(Math.min(to, total))} of ${groupDigits(total)}`;
