import type { AuthoredEvent } from '../../../contract/forge/forge.ts';
import {
  expectDate,
  expectId,
  expectNumber,
  expectText,
  expectWord,
} from '../../rest/expectedValues.ts';
import {
  toCheckEvents,
  toConflictEvent,
  type Doer,
  type RawEvent,
  composeNews,
} from '../../rest/composeNews.ts';
import {
  toGithubCheck,
  listGithubChecks,
  deriveGithubChecks,
  commentId,
  GITHUB,
  toGithubLogin,
  toCommentNumber,
  formatGithubPrId,
  listCodeComments,
} from './describe.ts';
import {
  archivedHindrance,
  createGoneBranchHindrance,
  lockedConversationHindrance,
  type Hindrance,
  unavailableHindrance,
} from '../../rest/hindrance.ts';
import type { UnreadParts } from '../../rest/unreadParts.ts';
import { isMemberBy, mayBeMember } from './members.ts';
import type { Actor, NumberedComment, PrNode } from './queries.ts';
import type { GithubPrData } from './readGithubPullRequest.ts';

/**
 * Most authors of one pull request who are looked up in one read, those who wrote last; for earlier
 * ones GitHub's association counts.
 */
const MAX_ASKED = 20;

/** Lower-case logins that belong to the repository whatever their associations say. */
type Members = ReadonlySet<string>;
type ReadDoer = (author: Actor | null, association: string) => Doer;

const createDoerReader =
  (members: Members): ReadDoer =>
  (author, association) => ({
    login: toGithubLogin(author),
    bot: author?.__typename === 'Bot',
    member: isMemberBy(association) || members.has(toGithubLogin(author).toLowerCase()),
  });

function listDoubtfulAuthors(pr: PrNode, self: string): string[] {
  const writtenEntries = [
    ...pr.comments.nodes.map((one) => ({ ...one, at: one.createdAt })),
    ...pr.reviews.nodes.map((one) => ({ ...one, at: one.submittedAt ?? '' })),
    ...listCodeComments(pr).map((one) => ({ ...one, at: one.createdAt })),
  ].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const logins = new Set<string>();
  for (const { author, authorAssociation } of writtenEntries) {
    const isNamed = author?.__typename === 'User' && typeof author.login === 'string';
    const isPerson = isNamed && toGithubLogin(author) !== self;
    if (isPerson && mayBeMember(authorAssociation)) logins.add(toGithubLogin(author).toLowerCase());
  }
  return [...logins].slice(0, MAX_ASKED);
}

export async function findMemberAuthors(
  { pr, slug }: GithubPrData,
  self: string,
  isMember: (slug: string, login: string) => Promise<boolean>,
): Promise<Members> {
  const members = new Set<string>();
  for (const login of listDoubtfulAuthors(pr, self))
    if (await isMember(slug, login)) members.add(login);
  return members;
}

/** As `toCommentNumber`; throws where the comment has neither a number nor an id. */
const expectCommentNumber = (one: NumberedComment): string =>
  toCommentNumber({
    ...one,
    id: expectId(one.fullDatabaseId ?? one.databaseId ?? one.id, 'the id of a comment'),
  });

const toGithubCommentEvents = (
  { comments }: PrNode,
  doer: ReadDoer,
  parts: UnreadParts,
): RawEvent[] =>
  parts.read(
    ['comments'],
    comments.nodes,
    (one): RawEvent => ({
      kind: 'commented',
      id: commentId.issue(expectCommentNumber(one)),
      at: expectDate(one.createdAt, 'the date of a comment'),
      by: doer(one.author, one.authorAssociation),
      text: expectText(one.body, 'the body of a comment'),
      url: one.url,
    }),
  );

const toGithubReviewEvents = (
  { reviews }: PrNode,
  doer: ReadDoer,
  parts: UnreadParts,
): RawEvent[] =>
  parts.read(['reviews'], reviews.nodes, (one): RawEvent[] => {
    const { state, url, submittedAt } = one;
    const body = expectText(one.body, 'the body of a review');
    const kind =
      state === 'APPROVED'
        ? 'approved'
        : state === 'CHANGES_REQUESTED'
          ? 'changes_requested'
          : 'commented';
    // A review that only carries comments on code has no text of its own.
    const empty = kind === 'commented' && body.trim() === '';
    if (submittedAt === null || state === 'PENDING' || state === 'DISMISSED' || empty) return [];
    const by = doer(one.author, one.authorAssociation);
    const id = commentId.review(expectCommentNumber(one));
    const at = expectDate(submittedAt, 'the date of a review');
    return [{ kind, id, at, by, text: body, url }];
  });

const toGithubThreadEvents = (pr: PrNode, doer: ReadDoer, parts: UnreadParts): RawEvent[] =>
  parts.read(['threads'], listCodeComments(pr), (one): RawEvent => {
    const { line } = one;
    const path = expectText(one.path, 'the path of a comment');
    const body = expectText(one.body, 'the body of a comment');
    return {
      kind: 'review_thread',
      id: commentId.thread(expectCommentNumber(one)),
      at: expectDate(one.createdAt, 'the date of a comment'),
      by: doer(one.author, one.authorAssociation),
      text: `${path}${line === null ? '' : `:${line}`}\n${body}`,
      url: one.url,
    };
  });

const toGithubCheckRuns = (pr: PrNode) =>
  listGithubChecks(pr).map((node) => ({
    ...toGithubCheck(node),
    run: node.__typename === 'CheckRun' ? (node.databaseId ?? node.id) : node.createdAt,
    at: (node.__typename === 'CheckRun' ? node.completedAt : node.createdAt) ?? pr.createdAt,
  }));

const toGithubStateEvents = (pr: PrNode, doer: ReadDoer, now: number): RawEvent[] => {
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
    ? [toConflictEvent(pr.headRefOid, pr.headRefName, pr.baseRefName, now)]
    : [];
};

/** All that has happened to a pull request; see `composeNews`. */
export function collectGithubNews(
  githubPrData: GithubPrData,
  about: { self: string; selfIsPerson: boolean; now: number; members: Members },
): AuthoredEvent[] {
  const { slug, pr, parts } = githubPrData;
  const { url } = pr;
  const number = expectNumber(pr.number, 'its number');
  expectWord(pr.state, ['OPEN', 'CLOSED', 'MERGED'], 'its state');
  const doer = createDoerReader(about.members);
  const allPassed = deriveGithubChecks(githubPrData).state === 'green';
  const reportedEvents = [
    ...toGithubCommentEvents(pr, doer, parts),
    ...toGithubReviewEvents(pr, doer, parts),
    ...toGithubThreadEvents(pr, doer, parts),
    ...toCheckEvents(pr.headRefOid, toGithubCheckRuns(pr), allPassed),
  ];
  return composeNews(
    { forge: GITHUB, repo: slug, number, prId: formatGithubPrId(slug, number), url },
    reportedEvents,
    toGithubStateEvents(pr, doer, about.now),
    about,
    parts,
  );
}

/** Why not everything can come from it, by what the forge shows. */
export function listGithubHindrances({ pr, repository, parts }: GithubPrData): Hindrance[] {
  if (pr.state !== 'OPEN') return parts.hindrances();
  const isGone = pr.headRef === null && pr.isCrossRepository === false;
  return [
    ...(repository.isArchived === true ? [archivedHindrance] : []),
    ...(repository.isLocked === true || repository.isDisabled === true
      ? [unavailableHindrance]
      : []),
    ...(pr.locked === true ? [lockedConversationHindrance] : []),
    ...(isGone ? [createGoneBranchHindrance(pr.headRefName)] : []),
    ...(pr.baseRef === null ? [createGoneBranchHindrance(pr.baseRefName)] : []),
    ...parts.hindrances(),
  ];
}
