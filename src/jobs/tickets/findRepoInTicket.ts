import type { Forges, JobRepo } from '../../providers/forges.ts';
import type { KnownRepositories } from '../create/knownRepositories.ts';
import type { Issue } from '../../contract/forge/tracker.ts';

/** Removes what follows the path. */
const stripAddressSuffix = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '');

/**
 * Whether an address belongs to a ticket of the same tracker: its own page, or one with the same
 * beginning up to the ticket's key. Such a page is not a repository, though the same host may serve a
 * forge.
 */
function isTicketAddress({ key, url }: Pick<Issue, 'key' | 'url'>, address: string): boolean {
  const [own, target] = [stripAddressSuffix(url), stripAddressSuffix(address)];
  if (own === '') return false;
  if (target === own) return true;
  const names = own.split('/');
  const at = names.indexOf(encodeURIComponent(key.toLowerCase()));
  // `https:`, nothing, host: a beginning that is a whole site may hold repositories as well.
  const hasFolder = at > 3;
  return hasFolder && target.startsWith(`${names.slice(0, at).join('/')}/`);
}

/** Most characters of a ticket searched for addresses. */
const MAX_SEARCHED_CHARS = 64_000;
const MAX_NAMED = 5;

/** The web address of a forge, such as `https://github.com`. */
export interface ForgeSite {
  forge: string;
  /** Without a trailing slash. */
  web: string;
}

/** Most addresses of one ticket that are checked; plugins of forges are asked about each. */
const MAX_ASKED = 50;

/**
 * The repository of a ticket, or why none exists; `isNamed`: the ticket names an unusable one.
 */
export type FoundTicketRepo = { repo: JobRepo } | { problem: string; isNamed: boolean };

interface TicketRepoSearch {
  issue: Issue;
  trackerId: string;
  /** Sites of the forges of svc; plugins are asked themselves. */
  sites: readonly ForgeSite[];
  forges: Forges;
  /** Default: none can be asked. */
  repositories?: Pick<KnownRepositories, 'isMissing'>;
}

const REPOSITORY_TRACKER = 'github-issues';

const LINE =
  /^[ \t]*(?:[-*][ \t]+)?(?:\*\*)?repo(?:sitory)?(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(\S{1,300})[ \t]*$/gim;
const LABEL = /^repo:\s*(\S{1,200})$/i;
/** Characters that end a sentence, not an address. */
const END = /[.,;:!?]+$/;
const ADDRESS = /https?:\/\/[^\s<>()[\]"'`|\\]{1,500}/gi;

/** First path segments on forges that are pages, not owners. */
const PAGES = new Set([
  'about',
  'apps',
  'explore',
  'features',
  'login',
  'marketplace',
  'notifications',
  'orgs',
  'search',
  'settings',
  'sponsors',
  'topics',
  'users',
]);

/**
 * `owner/name` and, for nested groups, all names up to the first that does not belong to the
 * repository.
 */
const listPossibleSlugs = (path: string): string[] => {
  const [before = ''] = path.split(/[?#]/, 1)[0]?.split('/-/', 1) ?? [];
  const names = before
    .replace(/[.,;:!]+$/, '')
    .split('/')
    .filter((name) => name !== '');
  if (PAGES.has(names[0]?.toLowerCase() ?? '')) return [];
  const all = names
    .map((_, n) =>
      names
        .slice(0, n + 1)
        .join('/')
        .replace(/\.git$/, ''),
    )
    .slice(1);
  // The whole group path before its first two names, which may be a different repository.
  return path.includes('/-/') ? all.reverse() : all;
};

/** Forges of svc have a known form of addresses. */
function findRepoAtSite(
  address: string,
  sites: readonly ForgeSite[],
  forges: Forges,
): JobRepo | null {
  for (const { forge, web } of sites) {
    if (!address.toLowerCase().startsWith(`${web.toLowerCase()}/`)) continue;
    const slug = listPossibleSlugs(address.slice(web.length + 1)).find((one) =>
      forges.get(forge)?.serves(one),
    );
    if (slug !== undefined) return { slug, provider: forge };
  }
  return null;
}

/**
 * The repository of an address; only its forge knows which one. A ticket of the same tracker is
 * none. Throws SvcError if a plugin cannot tell.
 */
async function findRepoAtAddress(
  { issue, sites, forges }: TicketRepoSearch,
  address: string,
): Promise<JobRepo | null> {
  if (isTicketAddress(issue, address)) return null;
  const jobRepo = findRepoAtSite(address, sites, forges);
  if (jobRepo) return jobRepo;
  for (const forge of forges.all()) {
    const slug = await forge.repositoryAt?.(address);
    if (typeof slug === 'string' && forge.serves(slug)) return { slug, provider: forge.id };
  }
  return null;
}

/** The text after `repo:`: an address of any scheme, also as a link, or a name. */
const WRITTEN_ADDRESS = /[[(<]?((?:[a-z][a-z0-9+.-]{1,20}:\/\/|[\w.-]+@[\w.-]+:)[^\s<>()[\]]+)/i;

async function findRepoByName(search: TicketRepoSearch, name: string): Promise<JobRepo | null> {
  const linkedAddress = WRITTEN_ADDRESS.exec(name)?.[1];
  if (linkedAddress !== undefined) return findRepoAtAddress(search, linkedAddress);
  const forge = search.forges.all().find((one) => one.serves(name));
  return forge ? { slug: name, provider: forge.id } : null;
}

/** Forges with unknown addresses, as the end of a sentence; empty = none. */
const describeUnaddressedForges = ({ sites, forges }: TicketRepoSearch): string => {
  const ids = forges
    .all()
    .filter(({ capabilities, repositoryAt }) => capabilities.remote && !repositoryAt)
    .map(({ id }) => id)
    .filter((id) => !sites.some(({ forge }) => forge === id));
  return ids.length === 0
    ? ''
    : `; a repository of ${ids.join(' or ')} is named as <owner>/<name>, not by its address`;
};

/** Each repository once, as it is first written; case is ignored. */
function dropRepeatedRepos(repos: readonly JobRepo[]): JobRepo[] {
  const foundRepos = new Map<string, JobRepo>();
  for (const repo of repos) {
    const key = `${repo.provider} ${repo.slug.toLowerCase()}`;
    if (!foundRepos.has(key)) foundRepos.set(key, repo);
  }
  return [...foundRepos.values()];
}

/** The repositories of these addresses, at most this many; addresses without one are left out. */
async function findEachRepo(
  texts: readonly string[],
  find: (text: string) => Promise<JobRepo | null>,
): Promise<JobRepo[]> {
  const addresses = [...new Set(texts)].slice(0, MAX_ASKED);
  return dropRepeatedRepos((await Promise.all(addresses.map(find))).flatMap((one) => one ?? []));
}

/** Drops those that their forge does not have: a page of a site may look like a repository. */
async function dropMissingRepos(
  { repositories }: TicketRepoSearch,
  linkedRepos: JobRepo[],
): Promise<JobRepo[]> {
  if (!repositories || linkedRepos.length > MAX_NAMED) return linkedRepos;
  const missing = await Promise.all(linkedRepos.map((repo) => repositories.isMissing(repo)));
  return linkedRepos.filter((_, n) => !missing[n]);
}

/**
 * The repository that a ticket means: that of a line `repo: <slug or address>` in its text, else of
 * a label or component `repo:<slug>`, else that of a GitHub issue, else the only repository of a
 * configured forge that its text or links point to. Throws SvcError if a plugin cannot tell what an
 * address belongs to.
 */
export async function findRepoInTicket(search: TicketRepoSearch): Promise<FoundTicketRepo> {
  const { issue, trackerId, sites, forges } = search;
  const { url, body, labels = [], links = [] } = issue;
  const findNamedRepo = async (
    where: string,
    names: readonly string[],
  ): Promise<FoundTicketRepo | null> => {
    if (names.length === 0) return null;
    const jobRepos = await findEachRepo(names, (name) => findRepoByName(search, name));
    const [repo] = jobRepos;
    const nameList = names
      .slice(0, MAX_NAMED)
      .map((name) => JSON.stringify(name))
      .join(', ');
    if (repo && jobRepos.length === 1) return { repo };
    const isAddressed = names.some((name) => WRITTEN_ADDRESS.test(name));
    return {
      isNamed: true,
      problem:
        jobRepos.length === 0
          ? `${where} does not name a repository of a configured forge: ${nameList}${isAddressed ? describeUnaddressedForges(search) : ''}`
          : `${where} names several repositories: ${nameList}`,
    };
  };
  const text = body.slice(0, MAX_SEARCHED_CHARS);
  const byLine = await findNamedRepo(
    'its line "repo:"',
    [...text.matchAll(LINE)].map(([, name = '']) => name.replace(/^[`*]+|[`*.,;]+$/g, '')),
  );
  if (byLine) return byLine;
  const byLabel = await findNamedRepo(
    'its label',
    labels.flatMap((label) => LABEL.exec(label)?.[1] ?? []),
  );
  if (byLabel) return byLabel;
  const own = trackerId === REPOSITORY_TRACKER ? findRepoAtSite(url, sites, forges) : null;
  if (own) return { repo: own };
  const addresses = [
    ...[...text.matchAll(ADDRESS)].map(([address]) => address.replace(END, '')),
    ...links,
  ];
  const linkedRepos = await findEachRepo(addresses, (one) => findRepoAtAddress(search, one));
  const there = await dropMissingRepos(search, linkedRepos);
  const [repo] = there;
  if (repo && there.length === 1) return { repo };
  const names = (there.length > 0 ? there : linkedRepos)
    .slice(0, MAX_NAMED)
    .map(({ slug }) => slug);
  if (linkedRepos.length > 0 && there.length === 0) {
    return { isNamed: false, problem: `it links ${names.join(', ')}, which no forge has` };
  }
  if (there.length > 1) {
    return { isNamed: false, problem: `it links several repositories (${names.join(', ')})` };
  }
  const providerIds = forges.all().flatMap(({ id, repositoryAt }) => (repositoryAt ? [id] : []));
  const siteList =
    [...sites.map(({ web }) => web), ...providerIds].join(', ') || 'no forge with a site';
  return {
    isNamed: false,
    problem: `it has no line "repo: <slug>", no label "repo:<slug>" and no link to a repository (looked for: ${siteList})`,
  };
}
