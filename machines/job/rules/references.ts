import type { ProviderEvent } from '../../../src/contract/schema/forge/pr.ts';

/** Params that can name a ticket or a pull request that is not the job's own. */
const REFERRING = ['jiraTicketId', 'trackerRef'] as const;

/** Longest text that is searched. */
const MAX_CHARS = 500;

/**
 * Addresses of tickets and pull requests, and the names of what they lead to. The first that fits
 * counts.
 */
const ADDRESSES: readonly [RegExp, (parts: readonly string[]) => string][] = [
  [
    /\/([^/]+(?:\/[^/]+)*?)\/(?:-\/)?merge_requests\/(\d+)/,
    ([repo, number]) => `${repo}!${number}`,
  ],
  [/\/([^/]+\/[^/]+)\/pull-requests\/(\d+)/, ([repo, number]) => `${repo}!${number}`],
  [
    /\/([^/]+(?:\/[^/]+)*?)\/(?:-\/)?(?:issues|work_items|pull)\/(\d+)/,
    ([repo, number]) => `${repo}#${number}`,
  ],
  [/\/browse\/([a-z][a-z0-9_]*-\d+)(?:[/?#]|$)/, ([key]) => key ?? ''],
  [/\/issue\/([a-z][a-z0-9]*-\d+)(?:[/?#]|$)/, ([key]) => key ?? ''],
];

/**
 * The one form of a name of a ticket or pull request: `shop-12`, `acme/shop#3`, `group/shop!3` (a
 * merge request, or a pull request of Bitbucket). Addresses of Jira, Linear, GitHub, GitLab and
 * Bitbucket become these. Empty for an empty text.
 */
export function toReference(text: string): string {
  const trimmed = text.slice(0, MAX_CHARS).trim().toLowerCase();
  const [, path] = /^https?:\/\/[^/]+(\/.*)$/.exec(trimmed) ?? [];
  if (path === undefined) return trimmed;
  for (const [pattern, nameOf] of ADDRESSES) {
    const found = pattern.exec(path);
    if (found) return nameOf(found.slice(1));
  }
  return trimmed;
}

const listReferringParams = (params: Readonly<Record<string, unknown>>): string[] =>
  REFERRING.map((name) => params[name]).filter((value) => typeof value === 'string');

/** What a job's params name outside of it, each in its one form. */
export const listReferences = (params: Readonly<Record<string, unknown>>): string[] => [
  ...new Set(
    listReferringParams(params)
      .map(toReference)
      .filter((reference) => reference !== ''),
  ),
];

/** What the params name by this reference, as they write it. */
export const findWrittenName = (
  params: Readonly<Record<string, unknown>>,
  reference: string,
): string =>
  listReferringParams(params)
    .find((text) => toReference(text) === reference)
    ?.trim() ?? reference;

/**
 * The ticket or pull request among those followed that an agent's name for one means, such as
 * `SHOP-1` or `jira:SHOP-1`; undefined = none of them.
 */
export const findFollowedReference = (
  followed: readonly string[],
  name: string,
): string | undefined =>
  followed.find(
    (one) => one === toReference(name) || one === toReference(name.slice(name.indexOf(':') + 1)),
  );

/**
 * Whether an event is a comment on what the job's params name. `prId` of such an event is
 * `<plugin>:<name>`.
 */
export const isReferenceComment = (
  params: Readonly<Record<string, unknown>>,
  { kind, prId }: ProviderEvent,
): boolean =>
  kind === 'commented' &&
  listReferences(params).includes(toReference(prId.slice(prId.indexOf(':') + 1)));
