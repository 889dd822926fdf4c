import type { AuthoredEvent } from '../../../contract/forge.ts';
import { expectDate, expectNumber, expectWord } from '../../rest/expectedValues.ts';
import { branchGone, type Hindrance } from '../../rest/hindrance.ts';
import type { UnreadParts } from '../../rest/unreadParts.ts';
import { checksIn, conflictIn, type Doer, type RawEvent, newsFrom } from '../../rest/happenings.ts';
import {
  BITBUCKET,
  byId,
  checkOf,
  checksStateOf,
  headOf,
  mappingOf,
  nameOf,
  newestBuilds,
  type ReadPr,
  rootOf,
} from './describe.ts';
import type { Account, BuildStatus, PullRequest } from './resources.ts';

/** Whether an account belongs to the repository, by uuid. */
export type IsMember = (account: Account) => boolean;

const doer = (account: Account | null, isMember: IsMember): Doer => ({
  login: nameOf(account),
  // Apps and access tokens; people alone are users.
  bot: account !== null && account.type !== 'user',
  member: account !== null && isMember(account),
  identities: account ? [account.uuid, ...(account.account_id ? [account.account_id] : [])] : [],
});

function commentsIn({ comments, parts }: ReadPr, isMember: IsMember): RawEvent[] {
  const all = byId(comments);
  return parts.read(['comments'], comments, (comment): RawEvent => {
    const { content, user, links } = comment;
    const { inline } = rootOf(comment, all);
    const place = inline ? `${inline.path}${inline.outdated ? '' : lineOf(inline)}\n` : '';
    return {
      kind: inline ? 'review_thread' : 'commented',
      id: String(comment.id),
      at: comment.created_on,
      by: doer(user, isMember),
      text: `${place}${content.raw}`,
      url: links.html.href,
    };
  });
}

const lineOf = ({ to, from }: { to: number | null; from: number | null }): string => {
  const line = to ?? from;
  return line === null ? '' : `:${line}`;
};

const reviewsIn = (
  { participants = [], updated_on }: PullRequest,
  isMember: IsMember,
  parts: UnreadParts,
): RawEvent[] =>
  parts.read(['reviews'], participants, ({ user, state, participated_on }): RawEvent[] => {
    if (state !== 'approved' && state !== 'changes_requested') return [];
    const at = expectDate(participated_on ?? updated_on, 'the date of a review');
    return [
      { kind: state, id: `${user.uuid}:${participated_on ?? ''}`, at, by: doer(user, isMember) },
    ];
  });

const runsOf = (builds: readonly BuildStatus[]) =>
  builds.map((build) => ({ ...checkOf(build), run: build.updated_on, at: build.updated_on }));

/** Bitbucket keeps no time of a merge or a decline but that of the last change. */
function stateIn({ pr, mergeable }: ReadPr, isMember: IsMember, now: number): RawEvent[] {
  const by = doer(pr.closed_by, isMember);
  if (pr.state === 'MERGED')
    return [{ kind: 'merged', id: pr.merge_commit?.hash ?? '', at: pr.updated_on, by }];
  if (pr.state !== 'OPEN')
    return [{ kind: 'closed', id: pr.state.toLowerCase(), at: pr.updated_on, by }];
  return mergeable === false
    ? [conflictIn(headOf(pr), pr.source.branch.name, pr.destination.branch.name, now)]
    : [];
}

/** Everyone who may be mentioned in the news. */
export const peopleIn = ({ pr, comments }: ReadPr): Account[] =>
  [...comments.map(({ user }) => user), ...(pr.participants ?? []).map(({ user }) => user)].filter(
    (one) => one !== null,
  );

/**
 * All that has happened to a pull request; see `newsFrom`. `self`: uuid of svc's account, empty
 * where it is not known.
 */
export function newsOf(
  read: ReadPr,
  isMember: IsMember,
  about: { self: string; selfIsPerson: boolean; now: number },
): AuthoredEvent[] {
  const { pr, builds, parts } = read;
  expectNumber(pr.id, 'its number');
  expectWord(pr.state, ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'], 'its state');
  const { repo, number, prId, url } = mappingOf(pr);
  const newest = newestBuilds(builds, headOf(pr));
  const checks = checksIn(headOf(pr), runsOf(newest), checksStateOf(read).state === 'green');
  const reported = [...commentsIn(read, isMember), ...reviewsIn(pr, isMember, parts), ...checks];
  return newsFrom(
    { forge: BITBUCKET, repo, number, prId, url },
    reported,
    stateIn(read, isMember, about.now),
    about,
    parts,
  );
}

/** Why not everything can come from it: Bitbucket shows no commit of a branch that is gone. */
export const hindrancesIn = ({ pr, parts }: ReadPr): Hindrance[] => [
  ...(pr.state === 'OPEN' ? [pr.source, pr.destination] : []).flatMap(({ branch, commit }) =>
    commit === null ? [branchGone(branch.name)] : [],
  ),
  ...parts.hindrances(),
];
