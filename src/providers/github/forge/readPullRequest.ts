import { SvcError } from '../../../lib/errors.ts';
import type { GithubClient } from './client.ts';
import { checksProblem, type GraphqlProblem } from './graphqlProblems.ts';
import {
  type Page,
  type PrAnswer,
  type PrNode,
  pullRequestQuery,
  type RepositoryState,
  threadQuery,
  type ThreadAnswer,
  type ThreadNode,
} from './queries.ts';

/** Most further pages that are read of one list: a pull request with more is cut there. */
const MAX_PAGES = 50;

const NO_REVIEWS: PrNode['reviews'] = {
  pageInfo: { hasNextPage: false, endCursor: null },
  nodes: [],
};

export interface ReadPr {
  /** As GitHub writes it: the same whatever name was asked for. */
  slug: string;
  pr: PrNode;
  repository: RepositoryState;
  /** Why its checks could not all be read; empty = they could. */
  checksProblem: string;
}

const rollupOf = ({ commits }: PrNode) => commits.nodes[0]?.commit.statusCheckRollup ?? null;

const next = (page: Page<unknown> | undefined): string | null =>
  page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;

/**
 * Adds what a further page brought; one that was complete before stays as it is. A page that leads to
 * itself is the last one.
 */
function join<Node>(page: Page<Node>, more: Page<Node>): void {
  if (!page.pageInfo.hasNextPage) return;
  const isStuck = more.pageInfo.endCursor === page.pageInfo.endCursor;
  page.nodes.push(...more.nodes);
  page.pageInfo = isStuck ? { ...more.pageInfo, hasNextPage: false } : more.pageInfo;
}

/**
 * Reads a pull request with all of its comments, reviews, threads and checks. Throws SvcError
 * `not-found`.
 */
export async function readPullRequest(
  client: GithubClient,
  slug: string,
  number: number,
): Promise<ReadPr> {
  const place = client.place(slug);
  const what = `pull request ${slug}#${number}`;
  const problems: GraphqlProblem[] = [];
  const ask = async (cursors: Record<string, string | null>) => {
    const answer = await client.numbered<PrAnswer>(what, pullRequestQuery, {
      ...place,
      number,
      ...cursors,
    });
    problems.push(...answer.problems);
    const { repository } = answer.data;
    const { pullRequest } = repository ?? {};
    if (!repository || !pullRequest)
      throw new SvcError('unreachable', `${client.server.host} answers without ${what}.`, {
        data: { status: 200 },
      });
    // The schema lets the list of reviews be null; it says the same as an empty one.
    return {
      slug: repository.nameWithOwner,
      repository,
      pr: { ...pullRequest, reviews: pullRequest.reviews ?? NO_REVIEWS },
    };
  };
  const { slug: nameWithOwner, pr, repository } = await ask({});
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const checks = rollupOf(pr)?.contexts;
    const cursors = {
      comments: next(pr.comments),
      reviews: next(pr.reviews),
      threads: next(pr.reviewThreads),
      checks: next(checks),
    };
    if (Object.values(cursors).every((cursor) => cursor === null)) break;
    const { pr: more } = await ask(cursors);
    join(pr.comments, more.comments);
    join(pr.reviews, more.reviews);
    join(pr.reviewThreads, more.reviewThreads);
    const moreChecks = rollupOf(more)?.contexts;
    if (checks && moreChecks) join(checks, moreChecks);
  }
  for (const thread of pr.reviewThreads.nodes) await readThread(client, what, thread);
  return { slug: nameWithOwner, pr, repository, checksProblem: checksProblem(problems) };
}

async function readThread(
  client: GithubClient,
  what: string,
  { id, comments }: ThreadNode,
): Promise<void> {
  for (let pages = 0; pages < MAX_PAGES && comments.pageInfo.hasNextPage; pages += 1) {
    const after = comments.pageInfo.endCursor;
    const { node } = (await client.numbered<ThreadAnswer>(what, threadQuery, { id, after })).data;
    if (!node) return;
    join(comments, node.comments);
  }
}
