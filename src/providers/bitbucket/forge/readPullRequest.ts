import { compareDates } from '../../../lib/untrusted.ts';
import { readOptional } from '../../rest/readOptional.ts';
import type { BitbucketClient } from './client.ts';
import { type ReadPr, whatOf } from './describe.ts';
import type { Activity, BuildStatus, Comment, MergeCheck, PullRequest } from './resources.ts';

/** Most that Bitbucket gives on one page of these lists. */
const PAGE = 100;
/** The same of the history of a pull request, and how much of it is read. */
const ACTIVITY_PAGE = 50;
const MAX_ACTIVITY = 500;

export const readPr = (
  client: BitbucketClient,
  slug: string,
  number: number,
): Promise<PullRequest> => client.get<PullRequest>(whatOf(slug, number), client.pr(slug, number));

/** Those that everybody sees, oldest first. */
export async function readComments(
  client: BitbucketClient,
  slug: string,
  number: number,
): Promise<Comment[]> {
  const all = await client.list<Comment>(
    whatOf(slug, number),
    `${client.pr(slug, number)}/comments`,
    { pagelen: PAGE },
  );
  const shown = all.filter(({ deleted, pending }) => !deleted && pending !== true);
  return shown.toSorted((a, b) => compareDates(a.created_on, b.created_on) || a.id - b.id);
}

export const readBuilds = (
  client: BitbucketClient,
  slug: string,
  number: number,
): Promise<BuildStatus[]> =>
  client.list<BuildStatus>(whatOf(slug, number), `${client.pr(slug, number)}/statuses`, {
    pagelen: PAGE,
  });

/** What Bitbucket looks at before a merge; empty where it does not say. */
export async function readMergeChecks(
  client: BitbucketClient,
  slug: string,
  number: number,
): Promise<MergeCheck[]> {
  const asked = client.list<MergeCheck>(
    whatOf(slug, number),
    `${client.pr(slug, number)}/mergeability/checks`,
  );
  return (await readOptional(asked)).value ?? [];
}

export const gitCheck = (checks: readonly MergeCheck[]): MergeCheck | undefined =>
  checks.find(({ type }) => type === 'git_mergeability_check');

/** Reads a pull request with all of its comments and builds. Throws SvcError `not-found`. */
export async function readPullRequest(
  client: BitbucketClient,
  slug: string,
  number: number,
): Promise<ReadPr> {
  const pr = await readPr(client, slug, number);
  const comments = pr.comment_count === 0 ? [] : await readComments(client, slug, number);
  const builds = await readOptional(readBuilds(client, slug, number));
  const mergeChecks = pr.state === 'OPEN' ? await readMergeChecks(client, slug, number) : [];
  const git = gitCheck(mergeChecks);
  const mergeable = git?.status === 'PASSED' ? true : git?.status === 'FAILED' ? false : null;
  return {
    pr,
    comments,
    builds: builds.value ?? [],
    buildsProblem: builds.problem,
    mergeable,
    mergeChecks,
  };
}

/**
 * When the newest commit came to the pull request, ISO 8601: the oldest of the updates at the head
 * of its history that have this commit. null where the history does not say.
 */
export async function readPushedAt(
  client: BitbucketClient,
  slug: string,
  pr: PullRequest,
): Promise<string | null> {
  const head = pr.source.commit?.hash;
  if (head === undefined) return null;
  const path = `${client.pr(slug, pr.id)}/activity`;
  const { value: history } = await readOptional(
    client.list<Activity>(whatOf(slug, pr.id), path, { pagelen: ACTIVITY_PAGE }, MAX_ACTIVITY),
  );
  if (history === null) return null;
  let pushedAt: string | null = null;
  for (const { update } of history) {
    if (!update) continue;
    const hash = update.source?.commit?.hash ?? '';
    if (hash === '' || !(hash.startsWith(head) || head.startsWith(hash))) return pushedAt;
    pushedAt = update.date;
  }
  return history.length < MAX_ACTIVITY ? pushedAt : null;
}
