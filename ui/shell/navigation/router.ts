/** The part of the address after `#`. `query` holds what follows `?`. */
export type Route = { query: Readonly<Record<string, string>> } & (
  | { page: 'jobs'; view: 'list' | 'board' }
  | { page: 'home' }
  | { page: 'inbox'; itemId: string | null }
  | { page: 'job'; jobId: string; tab: JobTab; rest: readonly string[] }
  | { page: 'dispatch' }
  | { page: 'plan'; sessionId: string | null }
  | { page: 'workflows'; rest: readonly string[] }
  | { page: 'statistics' }
  | { page: 'schedules' }
  | { page: 'notifications' }
  | { page: 'budgets' }
  | { page: 'report' }
  | { page: 'guardrails' }
  | { page: 'proposals'; proposalId: string | null }
  | { page: 'setup' }
  | { page: 'settings'; section: string | null }
  | { page: 'insights' }
  | { page: 'plugins'; pluginId: string | null }
  | { page: 'ratings' }
  | { page: 'compare'; jobIds: readonly string[] }
  | { page: 'machines'; rest: readonly string[] }
  | { page: 'team'; part: TeamPart }
  | { page: 'missing'; path: string }
);

/** Tabs of the job page; the first has no part of its own in the address. */
export const JOB_TABS = [
  'overview',
  'log',
  'chart',
  'changes',
  'artefacts',
  'journal',
  'campaign',
] as const;
export type JobTab = (typeof JOB_TABS)[number];

/** Pages that only a team has. */
export const TEAM_PARTS = [
  'teams',
  'members',
  'runners',
  'dispatches',
  'versions',
  'audit',
] as const;
export type TeamPart = (typeof TEAM_PARTS)[number];

const isTab = (text: string): text is JobTab => JOB_TABS.some((tab) => tab === text);

/** Broken escapes are kept literally: a mistyped link must not break the page. */
const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const LINE_ANCHOR = /#(L\d{1,9})$/;

/**
 * The page that a hash such as `#/jobs/j1/log?q=error` leads to. Never throws: what leads nowhere
 * is `missing`.
 */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s, 2);
  const query: Record<string, string> = Object.fromEntries(new URLSearchParams(search));
  // A line of a log is named as on forges: `#/jobs/j1/log#L12`.
  const parts = path.replace(LINE_ANCHOR, '/$1').split('/');
  const [first, ...rest] = parts.filter(Boolean).map(decodePart);
  const second = rest[0];
  const tab = rest[1];
  if (first === undefined)
    return search === '' ? { page: 'home', query } : { page: 'jobs', view: 'list', query };
  if (first === 'board' && rest.length === 0) return { page: 'jobs', view: 'board', query };
  if (first === 'inbox' && rest.length < 2) return { page: 'inbox', itemId: second ?? null, query };
  if (first === 'new' && rest.length === 0) return { page: 'dispatch', query };
  if (first === 'plan' && rest.length < 2)
    return { page: 'plan', sessionId: second ?? null, query };
  if (first === 'statistics') return { page: 'statistics', query };
  if (first === 'schedules' && rest.length === 0) return { page: 'schedules', query };
  if (first === 'notifications' && rest.length === 0) return { page: 'notifications', query };
  if (first === 'budgets' && rest.length === 0) return { page: 'budgets', query };
  if (first === 'report' && rest.length === 0) return { page: 'report', query };
  if (first === 'guardrails' && rest.length === 0) return { page: 'guardrails', query };
  if (first === 'setup' && rest.length === 0) return { page: 'setup', query };
  if (first === 'plugins' && rest.length < 2)
    return { page: 'plugins', pluginId: second ?? null, query };
  if (first === 'proposals' && rest.length < 2)
    return { page: 'proposals', proposalId: second ?? null, query };
  if (first === 'settings' && rest.length < 2)
    return { page: 'settings', section: second ?? null, query };
  if (first === 'insights' && rest.length === 0) return { page: 'insights', query };
  if (first === 'ratings' && rest.length === 0) return { page: 'ratings', query };
  if (first === 'compare' && (rest.length === 1 || rest.length === 2))
    return { page: 'compare', jobIds: rest, query };
  const part = TEAM_PARTS.find((one) => one === first);
  if (part !== undefined && rest.length === 0) return { page: 'team', part, query };
  if (first === 'workflows') return { page: 'workflows', rest, query };
  if (first === 'machines') return { page: 'machines', rest, query };
  if (first === 'jobs' && second === undefined) return { page: 'jobs', view: 'list', query };
  if (first === 'jobs' && second !== undefined) {
    if (tab === undefined) return { page: 'job', jobId: second, tab: 'overview', rest: [], query };
    if (isTab(tab)) return { page: 'job', jobId: second, tab, rest: rest.slice(2), query };
  }
  return { page: 'missing', path, query };
}

/** The folder of the page: `/dashboard/`, or that of a team. */
export const findPageFolder = ({ pathname }: Pick<Location, 'pathname'>): string =>
  /^\/t\/[^/]+\//.exec(pathname)?.[0] ?? '/dashboard/';

/** The `#` part for an address such as `/dashboard/jobs/j1?x=y`; null = the first page. */
export function toHashOfPath({
  pathname,
  search,
}: Pick<Location, 'pathname' | 'search'>): string | null {
  const rest = pathname.replace(/^\/dashboard\/?|^\/t\/[^/]+\/?/, '');
  return rest === '' || rest === 'index.html' ? null : `#/${rest}${search}`;
}

/** A hash: its parts escaped, an empty query left out. */
export function toRouteHash(
  parts: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const entries = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const search = entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
  return `#/${parts.map(encodeURIComponent).join('/')}${search}`;
}

/** The address of a line of a job's log; lines are counted from 1. */
export const toLineHash = (jobId: string, line: number): string =>
  `${toJobHash(jobId, 'log')}#L${line}`;

export const toInboxHash = (itemId: string | null): string =>
  toRouteHash(itemId === null ? ['inbox'] : ['inbox', itemId]);

export const toJobHash = (jobId: string, tab: JobTab = 'overview', ...rest: string[]): string =>
  toRouteHash(['jobs', jobId, ...(tab === 'overview' ? rest : [tab, ...rest])]);
