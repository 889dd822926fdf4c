import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { compareDates } from '../../../base/json/untrusted.ts';
import type { PrPart } from '../../../contract/schema/forge/prDetail.ts';
import {
  expectAuthor,
  expectDate,
  expectId,
  expectNumber,
  expectText,
} from '../../rest/expectedValues.ts';
import { readAnswer } from '../../rest/lenientReader.ts';
import { readOptional } from '../../rest/readOptional.ts';
import { UnreadParts } from '../../rest/unreadParts.ts';
import type { BitbucketClient } from './client.ts';
import type { BitbucketPrData } from './describe.ts';
import type {
  Activity,
  BuildStatus,
  Comment,
  CommentId,
  MergeCheck,
  Participant,
  PullRequest,
} from './resources.ts';

const PAGE = 100;
const ACTIVITY_PAGE = 50;
const MAX_ACTIVITY = 500;

export async function readBitbucketPr(
  client: BitbucketClient,
  slug: string,
  number: number,
): Promise<PullRequest> {
  const what = describePullRequest(slug, number);
  const pr = await client.get<PullRequest>(what, client.pr(slug, number));
  readAnswer(client.server, what, () => {
    expectNumber(pr.id, 'its number');
    expectText(pr.state, 'its state');
    expectText(pr.links?.html?.href, 'its address');
    expectText(pr.source?.branch?.name, 'its branch');
    expectText(pr.destination?.branch?.name, 'its base branch');
    expectText(pr.destination.repository?.full_name, 'the name of its repository');
  });
  return pr;
}

/** Parts that are missing without the comments. */
const TALK: readonly PrPart[] = ['comments', 'threads'];

/** Throws, with the wrong value, for a comment that svc cannot read. */
function checkComment(comment: Comment): void {
  expectText(comment.content.raw, 'the body of a comment');
  expectId(comment.id, 'the id of a comment');
  expectDate(comment.created_on, 'the date of a comment');
  expectAuthor(comment.user, 'uuid');
  expectText(comment.links.html.href, 'the address of a comment');
}

function checkParticipant({ user, state }: Participant): void {
  expectText(user.uuid, 'the name of a participant');
  if (state != null) expectText(state, 'the decision of a participant');
}

function checkBuild({ key, state, updated_on: at }: BuildStatus): void {
  expectText(key, 'the name of a check');
  expectText(state, 'the state of a check');
  expectDate(at, 'the date of a check');
}

/** The order of two ids, which may be texts if they are large. */
function compareIds(one: CommentId, other: CommentId): number {
  const [a, b] = [String(one), String(other)];
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Comments that everybody can see, oldest first. */
export async function readBitbucketComments(
  client: BitbucketClient,
  slug: string,
  number: number,
  parts = new UnreadParts(),
): Promise<Comment[]> {
  const all = await client.list<Comment>(
    describePullRequest(slug, number),
    `${client.pr(slug, number)}/comments`,
    { pagelen: PAGE },
  );
  const shownComments = parts.read(TALK, all, (one): Comment[] => {
    if (one.deleted || one.pending === true) return [];
    checkComment(one);
    return [one];
  });
  return shownComments.toSorted(
    (a, b) => compareDates(a.created_on, b.created_on) || compareIds(a.id, b.id),
  );
}

export const readBitbucketBuilds = (
  client: BitbucketClient,
  slug: string,
  number: number,
): Promise<BuildStatus[]> =>
  client.list<BuildStatus>(
    describePullRequest(slug, number),
    `${client.pr(slug, number)}/statuses`,
    {
      pagelen: PAGE,
    },
  );

export async function readBitbucketMergeChecks(
  client: BitbucketClient,
  slug: string,
  number: number,
): Promise<MergeCheck[]> {
  const request = client.list<MergeCheck>(
    describePullRequest(slug, number),
    `${client.pr(slug, number)}/mergeability/checks`,
  );
  return (await readOptional(request)).value ?? [];
}

export const findGitMergeCheck = (checks: readonly MergeCheck[]): MergeCheck | undefined =>
  checks.find(({ type }) => type === 'git_mergeability_check');

/**
 * Reads a pull request with all of its comments and builds. Parts that cannot be read are missing,
 * and named in `parts`. Throws SvcError `not-found`.
 */
export async function readBitbucketPullRequest(
  client: BitbucketClient,
  slug: string,
  number: number,
): Promise<BitbucketPrData> {
  const pullRequest = await readBitbucketPr(client, slug, number);
  const parts = new UnreadParts();
  const { participants = [] } = pullRequest;
  const people = parts.list<Participant>(['reviews'], participants, 'the list of participants');
  const pr = { ...pullRequest, participants: parts.keep(['reviews'], people, checkParticipant) };
  const comments =
    pr.comment_count === 0
      ? []
      : await parts.ask(TALK, readBitbucketComments(client, slug, number, parts));
  const builds = await parts.ask(
    ['checks'],
    readOptional(readBitbucketBuilds(client, slug, number)),
  );
  const buildStatuses = parts.keep(['checks'], builds?.value ?? [], checkBuild);
  const mergeChecks =
    pr.state === 'OPEN'
      ? await parts.ask(['mergeability'], readBitbucketMergeChecks(client, slug, number))
      : [];
  const readableChecks = parts.keep(['mergeability'], mergeChecks ?? [], ({ type, status }) => {
    expectText(type, 'the name of a merge check');
    expectText(status, 'the state of a merge check');
  });
  const git = findGitMergeCheck(readableChecks);
  const mergeable = git?.status === 'PASSED' ? true : git?.status === 'FAILED' ? false : null;
  return {
    pr,
    comments: comments ?? [],
    builds: buildStatuses,
    buildsProblem: builds?.problem ?? (parts.why('checks') || null),
    mergeable,
    mergeChecks: parts.why('mergeability') === '' ? readableChecks : [],
    parts,
  };
}

/**
 * When the newest commit came to the pull request, ISO 8601: the time of the oldest update in the
 * unbroken run of newest ones with this commit. null where the history does not say.
 */
export async function readBitbucketPushedAt(
  client: BitbucketClient,
  slug: string,
  pr: PullRequest,
): Promise<string | null> {
  const head = pr.source.commit?.hash;
  if (head === undefined) return null;
  const path = `${client.pr(slug, pr.id)}/activity`;
  const { value: history } = await readOptional(
    client.list<Activity>(
      describePullRequest(slug, pr.id),
      path,
      { pagelen: ACTIVITY_PAGE },
      MAX_ACTIVITY,
    ),
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
