import type { AuthoredEvent } from '../../../contract/forge/forge.ts';
import { expectDate, expectNumber, expectWord } from '../../rest/expectedValues.ts';
import { createGoneBranchHindrance, type Hindrance } from '../../rest/hindrance.ts';
import type { UnreadParts } from '../../rest/unreadParts.ts';
import {
  toCheckEvents,
  toConflictEvent,
  type Doer,
  type RawEvent,
  composeNews,
} from '../../rest/composeNews.ts';
import {
  BITBUCKET,
  indexBitbucketComments,
  toBuildCheck,
  deriveBitbucketChecks,
  readBitbucketHead,
  toBitbucketMapping,
  pickBitbucketName,
  pickNewestBuilds,
  type BitbucketPrData,
  findBitbucketRootComment,
} from './describe.ts';
import type { Account, BuildStatus, PullRequest } from './resources.ts';

export type IsMember = (account: Account) => boolean;

const toBitbucketDoer = (account: Account | null, isMember: IsMember): Doer => ({
  login: pickBitbucketName(account),
  // Apps and access tokens are not users.
  bot: account !== null && account.type !== 'user',
  member: account !== null && isMember(account),
  identities: account ? [account.uuid, ...(account.account_id ? [account.account_id] : [])] : [],
});

function toBitbucketCommentEvents(
  { comments, parts }: BitbucketPrData,
  isMember: IsMember,
): RawEvent[] {
  const all = indexBitbucketComments(comments);
  return parts.read(['comments'], comments, (comment): RawEvent => {
    const { content, user, links } = comment;
    const { inline } = findBitbucketRootComment(comment, all);
    const place = inline
      ? `${inline.path}${inline.outdated ? '' : formatBitbucketLine(inline)}\n`
      : '';
    return {
      kind: inline ? 'review_thread' : 'commented',
      id: String(comment.id),
      at: comment.created_on,
      by: toBitbucketDoer(user, isMember),
      text: `${place}${content.raw}`,
      url: links.html.href,
    };
  });
}

const formatBitbucketLine = ({ to, from }: { to: number | null; from: number | null }): string => {
  const line = to ?? from;
  return line === null ? '' : `:${line}`;
};

const toBitbucketReviewEvents = (
  { participants = [], updated_on }: PullRequest,
  isMember: IsMember,
  parts: UnreadParts,
): RawEvent[] =>
  parts.read(['reviews'], participants, ({ user, state, participated_on }): RawEvent[] => {
    if (state !== 'approved' && state !== 'changes_requested') return [];
    const at = expectDate(participated_on ?? updated_on, 'the date of a review');
    return [
      {
        kind: state,
        id: `${user.uuid}:${participated_on ?? ''}`,
        at,
        by: toBitbucketDoer(user, isMember),
      },
    ];
  });

const toBuildRuns = (builds: readonly BuildStatus[]) =>
  builds.map((build) => ({ ...toBuildCheck(build), run: build.updated_on, at: build.updated_on }));

/** Bitbucket's only time for a merge or a decline is that of the last change. */
function toBitbucketStateEvents(
  { pr, mergeable }: BitbucketPrData,
  isMember: IsMember,
  now: number,
): RawEvent[] {
  const by = toBitbucketDoer(pr.closed_by, isMember);
  if (pr.state === 'MERGED')
    return [{ kind: 'merged', id: pr.merge_commit?.hash ?? '', at: pr.updated_on, by }];
  if (pr.state !== 'OPEN')
    return [{ kind: 'closed', id: pr.state.toLowerCase(), at: pr.updated_on, by }];
  return mergeable === false
    ? [
        toConflictEvent(
          readBitbucketHead(pr),
          pr.source.branch.name,
          pr.destination.branch.name,
          now,
        ),
      ]
    : [];
}

export const listBitbucketPeople = ({ pr, comments }: BitbucketPrData): Account[] =>
  [...comments.map(({ user }) => user), ...(pr.participants ?? []).map(({ user }) => user)].filter(
    (one) => one !== null,
  );

/** See `composeNews`. `self`: uuid of svc's account, empty where it is not known. */
export function collectBitbucketNews(
  bitbucketPrData: BitbucketPrData,
  isMember: IsMember,
  about: { self: string; selfIsPerson: boolean; now: number },
): AuthoredEvent[] {
  const { pr, builds, parts } = bitbucketPrData;
  expectNumber(pr.id, 'its number');
  expectWord(pr.state, ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'], 'its state');
  const { repo, number, prId, url } = toBitbucketMapping(pr);
  const newest = pickNewestBuilds(builds, readBitbucketHead(pr));
  const checks = toCheckEvents(
    readBitbucketHead(pr),
    toBuildRuns(newest),
    deriveBitbucketChecks(bitbucketPrData).state === 'green',
  );
  const reportedEvents = [
    ...toBitbucketCommentEvents(bitbucketPrData, isMember),
    ...toBitbucketReviewEvents(pr, isMember, parts),
    ...checks,
  ];
  return composeNews(
    { forge: BITBUCKET, repo, number, prId, url },
    reportedEvents,
    toBitbucketStateEvents(bitbucketPrData, isMember, about.now),
    about,
    parts,
  );
}

/** Bitbucket does not show the commit of a deleted branch. */
export const listBitbucketHindrances = ({ pr, parts }: BitbucketPrData): Hindrance[] => [
  ...(pr.state === 'OPEN' ? [pr.source, pr.destination] : []).flatMap(({ branch, commit }) =>
    commit === null ? [createGoneBranchHindrance(branch.name)] : [],
  ),
  ...parts.hindrances(),
];
