import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { PrChecks, PrComment, PrDetail, PrStatus } from '../../contract/forge/forge.ts';
import type {
  ScmCheck,
  ScmComment,
  ScmPullRequest,
  ScmPullRequestDetail,
  ScmReview,
} from '../../contract/forge/scmForge.ts';
import { removeMark } from '../../git/marks.ts';
import { type CheckOutcome, summarizeChecks } from '../../providers/rest/summarizeChecks.ts';
import type { UnreadParts } from '../../providers/rest/unreadParts.ts';
import type { PrMapping } from '../../contract/schema/forge/pr.ts';

/** A plugin's time in the form of the API; an invalid time becomes 1970. */
export const toApiTime = (text: string): string => toIsoTime(Date.parse(text) || 0);

export const toScmPrId = (forge: string, { repo, number }: ScmPullRequest): string =>
  `${forge}:${repo}#${number}`;

export const toScmPrMapping = (
  forge: string,
  pr: ScmPullRequest,
  workItem: string | null = null,
): PrMapping => ({
  prId: toScmPrId(forge, pr),
  forge,
  repo: pr.repo,
  number: pr.number,
  title: pr.title,
  head: pr.head,
  base: pr.base,
  url: pr.url,
  state: pr.state,
  workItem,
  mergedAt: pr.state === 'merged' ? toApiTime(pr.endedAt ?? '') : null,
});

export const toScmPrStatus = (forge: string, pr: ScmPullRequest): PrStatus => ({
  ...toScmPrMapping(forge, pr),
  body: removeMark(pr.body),
  author: pr.author.login,
  approvals: [],
  mergeable: null,
  comments: 0,
  createdAt: toApiTime(pr.createdAt),
});

export const toScmPrComment = ({ id, author, body, at, replyTo }: ScmComment): PrComment => ({
  id,
  author: author.login,
  body: removeMark(body),
  inReplyTo: replyTo,
  at: toApiTime(at),
});

function pickLastReviews(reviews: readonly ScmReview[]): ScmReview[] {
  const last = new Map<string, ScmReview>();
  for (const review of reviews) last.set(review.author.login.toLowerCase(), review);
  return [...last.values()];
}

export const listStandingApprovals = (reviews: readonly ScmReview[]): ScmReview[] =>
  pickLastReviews(reviews).filter(({ verdict }) => verdict === 'approved');

const toScmCheckOutcome = ({ state }: ScmCheck): CheckOutcome =>
  state === 'neutral' ? 'skipped' : state;

/**
 * Summary of all checks, or of the required ones. `problem`: why some could not be read; empty =
 * all were read.
 */
export const summariseScmChecks = (
  checks: readonly ScmCheck[] | null,
  problem: string,
): PrChecks =>
  checks === null
    ? { state: 'unreadable', reason: problem || 'the account may not read them' }
    : summarizeChecks(checks.map(toScmCheckOutcome), problem);

const buildScmThreads = (comments: readonly ScmComment[]): PrDetail['reviewThreads'] =>
  comments.flatMap(({ id, place, replyTo }) => {
    if (place === undefined || replyTo !== null) return [];
    const replies = comments.filter((one) => one.replyTo === id).map((one) => one.id);
    return [{ id, ...place, commentIds: [id, ...replies] }];
  });

export function toScmPrDetail(
  forge: string,
  pr: ScmPullRequestDetail,
  parts: UnreadParts,
): PrDetail {
  const checksProblem = parts.why('checks');
  const thread = pr.comments.map(toScmPrComment);
  const approvals = listStandingApprovals(pr.reviews);
  const isOpen = pr.state === 'open';
  return {
    ...toScmPrStatus(forge, pr),
    approvals: approvals.map(({ author }) => author.login),
    mergeable: isOpen ? pr.mergeable : null,
    comments: thread.length,
    thread,
    headCommit: pr.headCommit,
    headApprovals: approvals
      .filter(({ commit }) => commit !== null && commit === pr.headCommit)
      .map(({ author }) => author.login),
    changesRequested: pickLastReviews(pr.reviews)
      .filter(({ verdict }) => verdict === 'changes_requested')
      .map(({ author }) => author.login),
    checksState: summariseScmChecks(pr.checks, checksProblem),
    requiredChecks: summariseScmChecks(
      pr.checks?.filter(({ required }) => required) ?? null,
      checksProblem,
    ),
    mergeState: isOpen ? pr.mergeState : null,
    checks: (pr.checks ?? []).map(({ name, state, url }) => ({ name, state, url })),
    reviewThreads: buildScmThreads(pr.comments),
    ...parts.toDetail(),
  };
}
