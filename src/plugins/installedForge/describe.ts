import { iso } from '../../domain/isoTime.ts';
import type { PrChecks, PrComment, PrDetail, PrStatus } from '../../contract/forge.ts';
import type {
  ScmCheck,
  ScmComment,
  ScmPullRequest,
  ScmPullRequestDetail,
  ScmReview,
} from '../../contract/scmForge.ts';
import { withoutMark } from '../../git/marks.ts';
import { type CheckOutcome, checksState } from '../../providers/rest/checksState.ts';
import type { UnreadParts } from '../../providers/rest/unreadParts.ts';
import type { PrMapping } from '../../schema/pr.ts';

/** A time of a plugin in the form of the API; what is none is the beginning of time. */
export const timeOf = (text: string): string => iso(Date.parse(text) || 0);

export const prIdOf = (forge: string, { repo, number }: ScmPullRequest): string =>
  `${forge}:${repo}#${number}`;

export const mappingOf = (
  forge: string,
  pr: ScmPullRequest,
  workItem: string | null = null,
): PrMapping => ({
  prId: prIdOf(forge, pr),
  forge,
  repo: pr.repo,
  number: pr.number,
  title: pr.title,
  head: pr.head,
  base: pr.base,
  url: pr.url,
  state: pr.state,
  workItem,
  mergedAt: pr.state === 'merged' ? timeOf(pr.endedAt ?? '') : null,
});

export const statusOf = (forge: string, pr: ScmPullRequest): PrStatus => ({
  ...mappingOf(forge, pr),
  body: withoutMark(pr.body),
  author: pr.author.login,
  approvals: [],
  mergeable: null,
  comments: 0,
  createdAt: timeOf(pr.createdAt),
});

export const commentOf = ({ id, author, body, at, replyTo }: ScmComment): PrComment => ({
  id,
  author: author.login,
  body: withoutMark(body),
  inReplyTo: replyTo,
  at: timeOf(at),
});

/** The last word of each reviewer. */
function lastWords(reviews: readonly ScmReview[]): ScmReview[] {
  const last = new Map<string, ScmReview>();
  for (const review of reviews) last.set(review.author.login.toLowerCase(), review);
  return [...last.values()];
}

/** The approvals that still count. */
export const approvalsOf = (reviews: readonly ScmReview[]): ScmReview[] =>
  lastWords(reviews).filter(({ verdict }) => verdict === 'approved');

const outcomeOf = ({ state }: ScmCheck): CheckOutcome => (state === 'neutral' ? 'skipped' : state);

/**
 * What the checks amount to: all of them, or those that are required. `problem`: why some could not be
 * read; empty = all were.
 */
export const checksOf = (checks: readonly ScmCheck[] | null, problem: string): PrChecks =>
  checks === null
    ? { state: 'unreadable', reason: problem || 'the account may not read them' }
    : checksState(checks.map(outcomeOf), problem);

const threadsOf = (comments: readonly ScmComment[]): PrDetail['reviewThreads'] =>
  comments.flatMap(({ id, place, replyTo }) => {
    if (place === undefined || replyTo !== null) return [];
    const replies = comments.filter((one) => one.replyTo === id).map((one) => one.id);
    return [{ id, ...place, commentIds: [id, ...replies] }];
  });

export function detailOf(forge: string, pr: ScmPullRequestDetail, parts: UnreadParts): PrDetail {
  const checksProblem = parts.why('checks');
  const thread = pr.comments.map(commentOf);
  const approvals = approvalsOf(pr.reviews);
  const isOpen = pr.state === 'open';
  return {
    ...statusOf(forge, pr),
    approvals: approvals.map(({ author }) => author.login),
    mergeable: isOpen ? pr.mergeable : null,
    comments: thread.length,
    thread,
    headCommit: pr.headCommit,
    headApprovals: approvals
      .filter(({ commit }) => commit !== null && commit === pr.headCommit)
      .map(({ author }) => author.login),
    changesRequested: lastWords(pr.reviews)
      .filter(({ verdict }) => verdict === 'changes_requested')
      .map(({ author }) => author.login),
    checksState: checksOf(pr.checks, checksProblem),
    requiredChecks: checksOf(pr.checks?.filter(({ required }) => required) ?? null, checksProblem),
    mergeState: isOpen ? pr.mergeState : null,
    checks: (pr.checks ?? []).map(({ name, state, url }) => ({ name, state, url })),
    reviewThreads: threadsOf(pr.comments),
    ...parts.toDetail(),
  };
}
