import type { Forges, JobRepo } from '../../providers/forges.ts';
import type { Issue } from '../../contract/tracker.ts';

/** Most characters of a ticket that are searched for addresses. */
const MAX_SEARCHED_CHARS = 64_000;
/** Most repositories that a message names. */
const MAX_NAMED = 5;

/** Where repositories of a forge are seen by people: `https://github.com`. */
export interface ForgeSite {
  forge: string;
  /** Without a slash at its end. */
  web: string;
}

/** The repository of a ticket, or why none is found. */
type RepoFound = { repo: JobRepo } | { problem: string };

const LINE =
  /^[ \t]*(?:[-*][ \t]+)?(?:\*\*)?repo(?:sitory)?(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(\S{1,300})[ \t]*$/gim;
const LABEL = /^repo:\s*(\S{1,200})$/i;
const ADDRESS = /https?:\/\/[^\s<>()[\]"'`|\\]{1,500}/gi;

/** First names of paths at forges that are pages of the forge and no owners. */
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
 * `owner/name` and, where groups lie in groups, all names up to the first one that is not of the
 * repository.
 */
const slugsOf = (path: string): string[] => {
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
  // A whole path of groups before its first two names, which may be a repository of another name.
  return path.includes('/-/') ? all.reverse() : all;
};

function atSite(address: string, sites: readonly ForgeSite[], forges: Forges): JobRepo | null {
  for (const { forge, web } of sites) {
    if (!address.toLowerCase().startsWith(`${web.toLowerCase()}/`)) continue;
    const slug = slugsOf(address.slice(web.length + 1)).find((one) =>
      forges.get(forge)?.serves(one),
    );
    if (slug !== undefined) return { slug, provider: forge };
  }
  return null;
}

const byName = (name: string, sites: readonly ForgeSite[], forges: Forges): JobRepo | null => {
  const linked = /[[(<]?(https?:\/\/[^\s<>()[\]]+)/i.exec(name)?.[1];
  if (linked !== undefined) return atSite(linked, sites, forges);
  const forge = forges.all().find((one) => one.serves(name));
  return forge ? { slug: name, provider: forge.id } : null;
};

/** Each repository once, as it is written first; case does not matter. */
function distinct(repos: readonly JobRepo[]): JobRepo[] {
  const found = new Map<string, JobRepo>();
  for (const repo of repos) {
    const key = `${repo.provider} ${repo.slug.toLowerCase()}`;
    if (!found.has(key)) found.set(key, repo);
  }
  return [...found.values()];
}

/**
 * The repository that a ticket means: what a line `repo: <slug or address>` of its text says, else
 * a label or component `repo:<slug>`, else the repository that it is an issue of, else the only
 * repository of a configured forge that an address in its text or links leads to.
 */
export function repoInTicket(
  { url, body, labels = [], links = [] }: Issue,
  sites: readonly ForgeSite[],
  forges: Forges,
): RepoFound {
  const said = (where: string, names: readonly string[]): RepoFound | null => {
    if (names.length === 0) return null;
    const found = distinct(names.flatMap((name) => byName(name, sites, forges) ?? []));
    const [repo] = found;
    const written = names
      .slice(0, MAX_NAMED)
      .map((name) => JSON.stringify(name))
      .join(', ');
    if (repo && found.length === 1) return { repo };
    return {
      problem: `${where} ${found.length === 0 ? 'names no repository of a configured forge' : 'names several repositories'}: ${written}`,
    };
  };
  const text = body.slice(0, MAX_SEARCHED_CHARS);
  const byLine = said(
    'its line "repo:"',
    [...text.matchAll(LINE)].map(([, name = '']) => name.replace(/^[`*]+|[`*.,;]+$/g, '')),
  );
  if (byLine) return byLine;
  const byLabel = said(
    'its label',
    labels.flatMap((label) => LABEL.exec(label)?.[1] ?? []),
  );
  if (byLabel) return byLabel;
  const own = atSite(url, sites, forges);
  if (own) return { repo: own };
  const addresses = [...[...text.matchAll(ADDRESS)].map(([address]) => address), ...links];
  const linked = distinct(addresses.flatMap((one) => atSite(one, sites, forges) ?? []));
  const [repo] = linked;
  if (repo && linked.length === 1) return { repo };
  if (linked.length > 1) {
    const names = linked.slice(0, MAX_NAMED).map(({ slug }) => slug);
    return { problem: `it links several repositories (${names.join(', ')})` };
  }
  const known = sites.map(({ web }) => web).join(', ') || 'no forge with a site';
  return {
    problem: `it has no line "repo: <slug>", no label "repo:<slug>" and no link to a repository (looked for: ${known})`,
  };
}
