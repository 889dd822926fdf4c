import { SvcError } from '../../lib/errors.ts';
import type { BitbucketClient } from './client.ts';
import { type ReadPr, whatOf } from './describe.ts';
import type { BuildStatus, Comment, MergeCheck, PullRequest } from './resources.ts';

/** Most that Bitbucket gives on one page of these lists. */
const PAGE = 100;

export const readPr = (client: BitbucketClient, slug: string, number: number): Promise<PullRequest> =>
  client.get<PullRequest>(whatOf(slug, number), client.pr(slug, number));

/** Those that everybody sees, oldest first. */
export async function readComments(client: BitbucketClient, slug: string, number: number): Promise<Comment[]> {
  const all = await client.list<Comment>(whatOf(slug, number), `${client.pr(slug, number)}/comments`, { pagelen: PAGE });
  const shown = all.filter(({ deleted, pending }) => !deleted && pending !== true);
  return shown.toSorted((a, b) => Date.parse(a.created_on) - Date.parse(b.created_on) || a.id - b.id);
}

export const readBuilds = (client: BitbucketClient, slug: string, number: number): Promise<BuildStatus[]> =>
  client.list<BuildStatus>(whatOf(slug, number), `${client.pr(slug, number)}/statuses`, { pagelen: PAGE });

/** What Bitbucket looks at before a merge; empty where it does not say. */
export async function readMergeChecks(client: BitbucketClient, slug: string, number: number): Promise<MergeCheck[]> {
  try {
    return await client.list<MergeCheck>(whatOf(slug, number), `${client.pr(slug, number)}/mergeability/checks`);
  } catch (error) {
    const isUnknown = error instanceof SvcError && ['forbidden', 'not-found', 'bad-argument'].includes(error.code);
    if (isUnknown) return [];
    throw error;
  }
}

export const gitCheck = (checks: readonly MergeCheck[]): MergeCheck | undefined =>
  checks.find(({ type }) => type === 'git_mergeability_check');

/** Reads a pull request with all of its comments and builds. Throws SvcError `not-found`. */
export async function readPullRequest(client: BitbucketClient, slug: string, number: number): Promise<ReadPr> {
  const pr = await readPr(client, slug, number);
  const comments = pr.comment_count === 0 ? [] : await readComments(client, slug, number);
  const builds = await readBuilds(client, slug, number);
  const git = pr.state === 'OPEN' ? gitCheck(await readMergeChecks(client, slug, number)) : undefined;
  const mergeable = git?.status === 'PASSED' ? true : git?.status === 'FAILED' ? false : null;
  return { pr, comments, builds, mergeable };
}
