import type { GithubClient } from './client.ts';
import { type Page, type PrAnswer, type PrNode, PULL_REQUEST, THREAD, type ThreadAnswer, type ThreadNode } from './queries.ts';

/** Most further pages that are read of one list: a pull request with more is cut there. */
const MAX_PAGES = 50;

export interface ReadPr {
  /** As GitHub writes it: the same whatever name was asked for. */
  slug: string;
  pr: PrNode;
}

const rollupOf = ({ commits }: PrNode) => commits.nodes[0]?.commit.statusCheckRollup ?? null;

const next = (page: Page<unknown> | undefined): string | null => (page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null);

/** Adds what a further page brought; one that was complete before stays as it is. */
function join<Node>(page: Page<Node>, more: Page<Node>): void {
  if (!page.pageInfo.hasNextPage) return;
  page.nodes.push(...more.nodes);
  page.pageInfo = more.pageInfo;
}

/** Reads a pull request with all of its comments, reviews, threads and checks. Throws SvcError `not-found`. */
export async function readPullRequest(client: GithubClient, slug: string, number: number): Promise<ReadPr> {
  const place = client.place(slug);
  const what = `pull request ${slug}#${number}`;
  const ask = (cursors: Record<string, string | null>) =>
    client
      .run(what, (octokit) => octokit.graphql<PrAnswer>(PULL_REQUEST, { ...place, number, ...cursors }))
      .catch((error: unknown) => {
        throw client.explained(what, notFoundIn(error));
      });
  const { nameWithOwner, pullRequest: pr } = (await ask({})).repository;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const checks = rollupOf(pr)?.contexts;
    const cursors = {
      comments: next(pr.comments),
      reviews: next(pr.reviews),
      threads: next(pr.reviewThreads),
      checks: next(checks),
    };
    if (Object.values(cursors).every((cursor) => cursor === null)) break;
    const more = (await ask(cursors)).repository.pullRequest;
    join(pr.comments, more.comments);
    join(pr.reviews, more.reviews);
    join(pr.reviewThreads, more.reviewThreads);
    const moreChecks = rollupOf(more)?.contexts;
    if (checks && moreChecks) join(checks, moreChecks);
  }
  for (const thread of pr.reviewThreads.nodes) await readThread(client, what, thread);
  return { slug: nameWithOwner, pr };
}

async function readThread(client: GithubClient, what: string, { id, comments }: ThreadNode): Promise<void> {
  for (let pages = 0; pages < MAX_PAGES && comments.pageInfo.hasNextPage; pages += 1) {
    const after = comments.pageInfo.endCursor;
    const { node } = await client.run(what, (octokit) => octokit.graphql<ThreadAnswer>(THREAD, { id, after }));
    join(comments, node.comments);
  }
}

/** GraphQL says "not found" with status 200; made into what the other answers are. */
export function notFoundIn(error: unknown): unknown {
  const { errors } = Object(error);
  const [first] = Array.isArray(errors) ? errors : [];
  const { type, message } = Object(first);
  if (type === undefined) return error;
  const status = type === 'NOT_FOUND' ? 404 : type === 'FORBIDDEN' || type === 'INSUFFICIENT_SCOPES' ? 403 : 422;
  return { status, response: { data: { message }, headers: Object(error).headers ?? {} } };
}
