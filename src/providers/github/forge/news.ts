import type { AuthoredEvent } from '../../../contract/forge.ts';
import {
  expectDate,
  expectId,
  expectNumber,
  expectText,
  expectWord,
} from '../../rest/expectedValues.ts';
import { checksIn, conflictIn, type Doer, type RawEvent, newsFrom } from '../../rest/happenings.ts';
import {
  checkOf,
  checksOf,
  checksStateOf,
  commentId,
  GITHUB,
  loginOf,
  numberOf,
  prIdOf,
  writtenInCode,
} from './describe.ts';
import {
  archived,
  branchGone,
  conversationLocked,
  type Hindrance,
  unavailable,
} from '../../rest/hindrance.ts';
import type { UnreadParts } from '../../rest/unreadParts.ts';
import { isMemberBy, mayBeMember } from './members.ts';
import type { Actor, Numbered, PrNode } from './queries.ts';
import type { ReadPr } from './readPullRequest.ts';

/**
 * Most authors of one pull request whose role is asked for in one read, those who wrote last; of
 * earlier ones GitHub's own word counts.
 */
const MAX_ASKED = 20;

/** Logins that belong to the repository whatever the associations say, in lower case. */
type Members = ReadonlySet<string>;
type DoerOf = (author: Actor | null, association: string) => Doer;

const doerAmong =
  (members: Members): DoerOf =>
  (author, association) => ({
    login: loginOf(author),
    bot: author?.__typename === 'Bot',
    member: isMemberBy(association) || members.has(loginOf(author).toLowerCase()),
  });

/** People who wrote something, and of whom GitHub does not show whether they are members. */
function doubtfulAuthors(pr: PrNode, self: string): string[] {
  const written = [
    ...pr.comments.nodes.map((one) => ({ ...one, at: one.createdAt })),
    ...pr.reviews.nodes.map((one) => ({ ...one, at: one.submittedAt ?? '' })),
    ...writtenInCode(pr).map((one) => ({ ...one, at: one.createdAt })),
  ].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const found = new Set<string>();
  for (const { author, authorAssociation } of written) {
    const isNamed = author?.__typename === 'User' && typeof author.login === 'string';
    const isPerson = isNamed && loginOf(author) !== self;
    if (isPerson && mayBeMember(authorAssociation)) found.add(loginOf(author).toLowerCase());
  }
  return [...found].slice(0, MAX_ASKED);
}

/** Those of its authors who turn out to be members when they are asked about. */
export async function membersAmong(
  { pr, slug }: ReadPr,
  self: string,
  isMember: (slug: string, login: string) => Promise<boolean>,
): Promise<Members> {
  const members = new Set<string>();
  for (const login of doubtfulAuthors(pr, self))
    if (await isMember(slug, login)) members.add(login);
  return members;
}

/** As `numberOf`, of a comment that has a number or an id. */
const expectNumberOf = (one: Numbered): string =>
  numberOf({
    ...one,
    id: expectId(one.fullDatabaseId ?? one.databaseId ?? one.id, 'the id of a comment'),
  });

const commentsIn = ({ comments }: PrNode, doer: DoerOf, parts: UnreadParts): RawEvent[] =>
  parts.read(
    ['comments'],
    comments.nodes,
    (one): RawEvent => ({
      kind: 'commented',
      id: commentId.issue(expectNumberOf(one)),
      at: expectDate(one.createdAt, 'the date of a comment'),
      by: doer(one.author, one.authorAssociation),
      text: expectText(one.body, 'the body of a comment'),
      url: one.url,
    }),
  );

const reviewsIn = ({ reviews }: PrNode, doer: DoerOf, parts: UnreadParts): RawEvent[] =>
  parts.read(['reviews'], reviews.nodes, (one): RawEvent[] => {
    const { state, url, submittedAt } = one;
    const body = expectText(one.body, 'the body of a review');
    const kind =
      state === 'APPROVED'
        ? 'approved'
        : state === 'CHANGES_REQUESTED'
          ? 'changes_requested'
          : 'commented';
    // A review that only carries comments in the code says nothing of its own.
    const empty = kind === 'commented' && body.trim() === '';
    if (submittedAt === null || state === 'PENDING' || state === 'DISMISSED' || empty) return [];
    const by = doer(one.author, one.authorAssociation);
    const id = commentId.review(expectNumberOf(one));
    const at = expectDate(submittedAt, 'the date of a review');
    return [{ kind, id, at, by, text: body, url }];
  });

const threadsIn = (pr: PrNode, doer: DoerOf, parts: UnreadParts): RawEvent[] =>
  parts.read(['threads'], writtenInCode(pr), (one): RawEvent => {
    const { line } = one;
    const path = expectText(one.path, 'the path of a comment');
    const body = expectText(one.body, 'the body of a comment');
    return {
      kind: 'review_thread',
      id: commentId.thread(expectNumberOf(one)),
      at: expectDate(one.createdAt, 'the date of a comment'),
      by: doer(one.author, one.authorAssociation),
      text: `${path}${line === null ? '' : `:${line}`}\n${body}`,
      url: one.url,
    };
  });

const runsIn = (pr: PrNode) =>
  checksOf(pr).map((node) => ({
    ...checkOf(node),
    run: node.__typename === 'CheckRun' ? (node.databaseId ?? node.id) : node.createdAt,
    at: (node.__typename === 'CheckRun' ? node.completedAt : node.createdAt) ?? pr.createdAt,
  }));

const stateIn = (pr: PrNode, doer: DoerOf, now: number): RawEvent[] => {
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
  about: { self: string; selfIsPerson: boolean; now: number; members: Members },
): AuthoredEvent[] {
  const { slug, pr, parts } = read;
  const { url } = pr;
  const number = expectNumber(pr.number, 'its number');
  expectWord(pr.state, ['OPEN', 'CLOSED', 'MERGED'], 'its state');
  const doer = doerAmong(about.members);
  const allPassed = checksStateOf(read).state === 'green';
  const reported = [
    ...commentsIn(pr, doer, parts),
    ...reviewsIn(pr, doer, parts),
    ...threadsIn(pr, doer, parts),
    ...checksIn(pr.headRefOid, runsIn(pr), allPassed),
  ];
  return newsFrom(
    { forge: GITHUB, repo: slug, number, prId: prIdOf(slug, number), url },
    reported,
    stateIn(pr, doer, about.now),
    about,
    parts,
  );
}

/** Why not everything can come from it, as the forge shows it. */
export function hindrancesIn({ pr, repository, parts }: ReadPr): Hindrance[] {
  if (pr.state !== 'OPEN') return parts.hindrances();
  const isGone = pr.headRef === null && pr.isCrossRepository === false;
  return [
    ...(repository.isArchived === true ? [archived] : []),
    ...(repository.isLocked === true || repository.isDisabled === true ? [unavailable] : []),
    ...(pr.locked === true ? [conversationLocked] : []),
    ...(isGone ? [branchGone(pr.headRefName)] : []),
    ...(pr.baseRef === null ? [branchGone(pr.baseRefName)] : []),
    ...parts.hindrances(),
  ];
}
