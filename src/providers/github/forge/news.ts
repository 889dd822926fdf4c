import type { AuthoredEvent } from '../../../contract/forge.ts';
import { checksIn, conflictIn, type Doer, type RawEvent, newsFrom } from '../../rest/happenings.ts';
import {
  checkOf,
  checksOf,
  checksStateOf,
  commentId,
  GITHUB,
  loginOf,
  prIdOf,
  writtenInCode,
} from './describe.ts';
import type { Actor, PrNode } from './queries.ts';
import type { ReadPr } from './readPullRequest.ts';

/** How an author belongs to a repository that he may write to. */
const MEMBERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

const doer = (author: Actor | null, association: string): Doer => ({
  login: loginOf(author),
  bot: author?.__typename === 'Bot',
  member: MEMBERS.has(association),
});

const commentsIn = ({ comments }: PrNode): RawEvent[] =>
  comments.nodes.map(({ databaseId, body, url, createdAt, author, authorAssociation }) => ({
    kind: 'commented',
    id: commentId.issue(databaseId),
    at: createdAt,
    by: doer(author, authorAssociation),
    text: body,
    url,
  }));

const reviewsIn = ({ reviews }: PrNode): RawEvent[] =>
  reviews.nodes.flatMap(
    ({ databaseId, state, body, url, submittedAt, author, authorAssociation }): RawEvent[] => {
      const kind =
        state === 'APPROVED'
          ? 'approved'
          : state === 'CHANGES_REQUESTED'
            ? 'changes_requested'
            : 'commented';
      // A review that only carries comments in the code says nothing of its own.
      const empty = kind === 'commented' && body.trim() === '';
      if (submittedAt === null || state === 'PENDING' || state === 'DISMISSED' || empty) return [];
      const by = doer(author, authorAssociation);
      return [{ kind, id: commentId.review(databaseId), at: submittedAt, by, text: body, url }];
    },
  );

const threadsIn = (pr: PrNode): RawEvent[] =>
  writtenInCode(pr).map(
    ({ path, line, databaseId, body, url, createdAt, author, authorAssociation }): RawEvent => {
      const text = `${path}${line === null ? '' : `:${line}`}\n${body}`;
      const by = doer(author, authorAssociation);
      return {
        kind: 'review_thread',
        id: commentId.thread(databaseId),
        at: createdAt,
        by,
        text,
        url,
      };
    },
  );

const runsIn = (pr: PrNode) =>
  checksOf(pr).map((node) => ({
    ...checkOf(node),
    run: node.__typename === 'CheckRun' ? node.databaseId : node.createdAt,
    at: (node.__typename === 'CheckRun' ? node.completedAt : node.createdAt) ?? pr.createdAt,
  }));

const stateIn = (pr: PrNode, now: number): RawEvent[] => {
  if (pr.state === 'MERGED') {
    const by = doer(pr.mergedBy, 'OWNER');
    return [{ kind: 'merged', id: pr.mergeCommit?.oid ?? '', at: pr.mergedAt ?? '', by }];
  }
  if (pr.state === 'CLOSED') {
    const [closed] = pr.timelineItems.nodes;
    const at = pr.closedAt ?? closed?.createdAt ?? '';
    return [{ kind: 'closed', id: at, at, by: doer(closed?.actor ?? null, 'OWNER') }];
  }
  return pr.mergeable === 'CONFLICTING'
    ? [conflictIn(pr.headRefOid, pr.headRefName, pr.baseRefName, now)]
    : [];
};

/** All that has happened to a pull request; see `newsFrom`. */
export function newsOf(
  read: ReadPr,
  about: { self: string; selfIsPerson: boolean; now: number },
): AuthoredEvent[] {
  const { slug, pr } = read;
  const { number, url } = pr;
  const allPassed = checksStateOf(read).state === 'green';
  const reported = [
    ...commentsIn(pr),
    ...reviewsIn(pr),
    ...threadsIn(pr),
    ...checksIn(pr.headRefOid, runsIn(pr), allPassed),
  ];
  return newsFrom(
    { forge: GITHUB, repo: slug, number, prId: prIdOf(slug, number), url },
    reported,
    stateIn(pr, about.now),
    about,
  );
}
