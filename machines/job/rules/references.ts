import type { ProviderEvent } from '../../../src/contract/schema/forge/pr.ts';

/** Params that can name a foreign ticket or pull request. */
const REFERRING = ['jiraTicketId', 'trackerRef'] as const;

/** Longest text that is searched, characters. */
const MAX_CHARS = 500;

/** Address patterns of tickets and pull requests, with their references. The first match counts. */
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
 * The canonical reference: `shop-12`, `acme/shop#3`, `group/shop!3` (a merge request, or a pull
 * request of Bitbucket). Converts addresses of Jira, Linear, GitHub, GitLab and Bitbucket. Empty
 * for an empty text.
 */
export function toReference(text: string): string {
  const trimmed = text.slice(0, MAX_CHARS).trim().toLowerCase();
  const [, path] = /^https?:\/\/[^/]+(\/.*)$/.exec(trimmed) ?? [];
  if (path === undefined) return trimmed;
  for (const [pattern, describeItem] of ADDRESSES) {
    const match = pattern.exec(path);
    if (match) return describeItem(match.slice(1));
  }
  return trimmed;
}

const listReferringParams = (params: Readonly<Record<string, unknown>>): string[] =>
  REFERRING.map((name) => params[name]).filter((value) => typeof value === 'string');

/** The canonical references that a job's params name. */
export const listReferences = (params: Readonly<Record<string, unknown>>): string[] => [
  ...new Set(
    listReferringParams(params)
      .map(toReference)
      .filter((reference) => reference !== ''),
  ),
];

/** How the params write this reference. */
export const findWrittenName = (
  params: Readonly<Record<string, unknown>>,
  reference: string,
): string =>
  listReferringParams(params)
    .find((text) => toReference(text) === reference)
    ?.trim() ?? reference;

/**
 * The followed ticket or pull request that an agent's name means, such as `SHOP-1` or
 * `jira:SHOP-1`; undefined = none.
 */
export const findFollowedReference = (
  references: readonly string[],
  name: string,
): string | undefined =>
  references.find(
    (one) => one === toReference(name) || one === toReference(name.slice(name.indexOf(':') + 1)),
  );

/** Whether an event comments on something the params name. Its `prId` is `<plugin>:<name>`. */
export const isReferenceComment = (
  params: Readonly<Record<string, unknown>>,
  { kind, prId }: ProviderEvent,
): boolean =>
  kind === 'commented' &&
  listReferences(params).includes(toReference(prId.slice(prId.indexOf(':') + 1)));
