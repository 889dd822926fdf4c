import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { toFields } from '../../../base/json/untrusted.ts';
import type { PrPart } from '../../../contract/schema/forge/prDetail.ts';
import { UnreadParts } from '../../rest/unreadParts.ts';
import type { GithubClient } from './client.ts';
import { explainMissingChecks, type GraphqlProblem } from './graphqlProblems.ts';
import {
  LISTS,
  buildPullRequestQuery,
  buildThreadQuery,
  type ListName,
  type Page,
  type PrAnswer,
  type PrNode,
  type RepositoryState,
  type Rollup,
  type ThreadAnswer,
  type ThreadCommentNode,
  type ThreadNode,
  type CheckNode,
  type CommentNode,
  type NumberedComment,
  type ReviewNode,
} from './queries.ts';
import { expectAuthor, expectDate, expectId, expectText } from '../../rest/expectedValues.ts';

/** Each of these throws, with the wrong value, for a node that svc cannot read. */

const checkNumber = ({ id, fullDatabaseId, databaseId }: NumberedComment): void => {
  expectId(fullDatabaseId ?? databaseId ?? id, 'the id of a comment');
};

function checkComment(node: CommentNode): void {
  expectText(node.body, 'the body of a comment');
  checkNumber(node);
  expectDate(node.createdAt, 'the date of a comment');
  expectAuthor(node.author, 'login');
}

function checkReview(node: ReviewNode): void {
  expectText(node.body, 'the body of a review');
  expectText(node.state, 'the state of a review');
  checkNumber(node);
  if (node.submittedAt !== null) expectDate(node.submittedAt, 'the date of a review');
  expectAuthor(node.author, 'login');
}

function checkThread(node: ThreadNode): void {
  expectId(node.id, 'the id of a thread');
  expectText(node.path, 'the path of a comment');
}

function checkCheck(node: CheckNode): void {
  expectText(node.__typename === 'CheckRun' ? node.name : node.context, 'the name of a check');
}

const MAX_PAGES = 50;

/** The parts that are missing if their list is. */
const PARTS: Readonly<Record<ListName, readonly [PrPart]>> = {
  comments: ['comments'],
  reviews: ['reviews'],
  reviewThreads: ['threads'],
  commits: ['checks'],
};

export interface GithubPrData {
  /** As GitHub writes it, whatever name was asked for. */
  slug: string;
  pr: PrNode;
  repository: RepositoryState;
  /** Why its checks could not all be read; empty = they could. */
  checksProblem: string;
  parts: UnreadParts;
}

const findCheckRollup = ({ commits }: PrNode) => commits.nodes[0]?.commit.statusCheckRollup ?? null;

const findNextCursor = (page: Page<unknown> | undefined): string | null =>
  page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;

/**
 * Appends a further page; a list that was complete stays as it is. A page that leads to itself is
 * the last one.
 */
function appendPage<Node>(page: Page<Node>, more: Page<Node>): void {
  if (!page.pageInfo.hasNextPage) return;
  const isStuck = more.pageInfo.endCursor === page.pageInfo.endCursor;
  page.nodes.push(...more.nodes);
  page.pageInfo = isStuck ? { ...more.pageInfo, hasNextPage: false } : more.pageInfo;
}

/** Reads answers, and leaves out the parts that are wrong. */
class Answers {
  readonly parts = new UnreadParts();
  readonly problems: GraphqlProblem[] = [];

  /** One page of a list; an empty page if the value is not a list. */
  page<Node>(list: ListName, value: unknown, check: (node: Node) => unknown): Page<Node> {
    const { pageInfo, nodes } = toFields(value);
    const { hasNextPage, endCursor } = toFields(pageInfo);
    const all = this.parts.list<Node>(PARTS[list], nodes, `the list ${list}`);
    return {
      pageInfo: {
        hasNextPage: hasNextPage === true,
        endCursor: typeof endCursor === 'string' ? endCursor : null,
      },
      nodes: this.parts.keep(PARTS[list], all, check),
    };
  }

  #thread(thread: ThreadNode): ThreadNode {
    checkThread(thread);
    const comments = this.page<ThreadCommentNode>('reviewThreads', thread.comments, checkComment);
    return { ...thread, comments };
  }

  threads(value: unknown): Page<ThreadNode> {
    const page = this.page<ThreadNode>('reviewThreads', value, () => {});
    const nodes = this.parts.read(PARTS.reviewThreads, page.nodes, (one) => this.#thread(one));
    return { ...page, nodes };
  }

  #rollup(value: unknown): Rollup | null {
    if (value === null || value === undefined) return null;
    const { state, contexts } = toFields(value);
    return { state: String(state), contexts: this.page('commits', contexts, checkCheck) };
  }

  commits(value: unknown): PrNode['commits'] {
    const { nodes } = toFields(value);
    const [newest] = this.parts.list(PARTS.commits, nodes, 'the list commits');
    const { oid, statusCheckRollup } = toFields(toFields(newest).commit);
    const commit = { oid: String(oid), statusCheckRollup: this.#rollup(statusCheckRollup) };
    return { nodes: newest === undefined ? [] : [{ commit }] };
  }

  /** The pull request with these lists; the others are empty. */
  pullRequest(
    node: NonNullable<NonNullable<PrAnswer['repository']>['pullRequest']>,
    lists: readonly ListName[],
  ): PrNode {
    const none = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
    const of = (list: ListName): unknown => (lists.includes(list) ? node[list] : none);
    const events = toFields(node.timelineItems).nodes;
    return {
      ...node,
      comments: this.page('comments', of('comments'), checkComment),
      // The schema allows null for this list, which means the same as empty.
      reviews: this.page('reviews', of('reviews') ?? none, checkReview),
      reviewThreads: this.threads(of('reviewThreads')),
      commits: this.commits(of('commits')),
      timelineItems: { nodes: Array.isArray(events) ? events : [] },
    };
  }
}

interface Read {
  slug: string;
  repository: RepositoryState;
  pr: PrNode;
}

/**
 * Reads a pull request with all of its comments, reviews, threads and checks. Parts that cannot be
 * read are missing, and named in `parts`. Throws SvcError `not-found`.
 */
export async function readGithubPullRequest(
  client: GithubClient,
  slug: string,
  number: number,
): Promise<GithubPrData> {
  const place = client.place(slug);
  const what = describePullRequest(slug, number);
  const answers = new Answers();
  const { parts, problems } = answers;
  const ask = async (
    lists: readonly ListName[],
    cursors: Record<string, string | null> = {},
  ): Promise<Read> => {
    const answer = await client.askWithNumbers<PrAnswer>(what, buildPullRequestQuery(lists), {
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
    return {
      slug: repository.nameWithOwner,
      repository,
      pr: answers.pullRequest(pullRequest, lists),
    };
  };
  /** If one list fails, GitHub answers nothing at all: then each list is asked for alone. */
  const askPiecewise = async (failure: unknown): Promise<Read> => {
    const read = await ask([]).catch(() => {
      throw failure;
    });
    for (const list of LISTS) {
      const one = await parts.ask(PARTS[list], ask([list]));
      if (one) Object.assign(read.pr, { [list]: one.pr[list] });
    }
    return read;
  };
  const read = await ask(LISTS).catch((error: unknown) => {
    if (error instanceof SvcError && isOfServer(error)) return askPiecewise(error);
    throw error;
  });
  const { pr } = read;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const checks = findCheckRollup(pr)?.contexts;
    const nextCursors: Readonly<Record<ListName, string | null>> = {
      comments: findNextCursor(pr.comments),
      reviews: findNextCursor(pr.reviews),
      reviewThreads: findNextCursor(pr.reviewThreads),
      commits: findNextCursor(checks),
    };
    const missingLists = LISTS.filter((list) => nextCursors[list] !== null);
    if (missingLists.length === 0) break;
    const missing = missingLists.flatMap((list) => PARTS[list]);
    const nextPage = await parts.ask(
      missing,
      ask(missingLists, {
        comments: nextCursors.comments,
        reviews: nextCursors.reviews,
        threads: nextCursors.reviewThreads,
        checks: nextCursors.commits,
      }),
    );
    if (!nextPage) break;
    const { pr: more } = nextPage;
    appendPage(pr.comments, more.comments);
    appendPage(pr.reviews, more.reviews);
    appendPage(pr.reviewThreads, more.reviewThreads);
    const moreChecks = findCheckRollup(more)?.contexts;
    if (checks && moreChecks) appendPage(checks, moreChecks);
  }
  for (const thread of pr.reviewThreads.nodes)
    await parts.ask(PARTS.reviewThreads, readRemainingThread(client, what, thread, answers));
  for (const { path, message } of problems)
    if (path.includes('reviews') && path.at(-2) === 'nodes')
      parts.note(['reviews'], new Error(message));
  return { ...read, checksProblem: explainMissingChecks(problems) || parts.why('checks'), parts };
}

/** A failure of GitHub itself or an unreadable answer, not a refusal of access. */
const isOfServer = ({ code, data }: SvcError): boolean =>
  code === 'too-large' || (code === 'unreachable' && Number(data.status) >= 200);

async function readRemainingThread(
  client: GithubClient,
  what: string,
  { id, comments }: ThreadNode,
  answers: Answers,
): Promise<void> {
  for (let pages = 0; pages < MAX_PAGES && comments.pageInfo.hasNextPage; pages += 1) {
    const after = comments.pageInfo.endCursor;
    const { node } = (
      await client.askWithNumbers<ThreadAnswer>(what, buildThreadQuery, { id, after })
    ).data;
    if (!node) return;
    appendPage(
      comments,
      answers.page<ThreadCommentNode>('reviewThreads', node.comments, checkComment),
    );
  }
}
