import { toIsoDate } from '../../../base/json/untrusted.ts';
import type { PrMapping, PrState } from '../../../contract/schema/forge/pr.ts';
import type {
  PrCheck,
  PrChecks,
  PrComment,
  PrDetail,
  PrMergeState,
  PrStatus,
} from '../../../contract/forge/forge.ts';
import { removeMark } from '../../../git/marks.ts';
import { type CheckOutcome, summarizeChecks } from '../../rest/summarizeChecks.ts';
import type { Actor, CheckNode, NumberedComment, PrNode, ReviewNode } from './queries.ts';
import type { GithubPrData } from './readGithubPullRequest.ts';

export const GITHUB = 'github';
/** GitHub's own name for accounts that are gone. */
const GONE = 'ghost';
const BOT = '[bot]';

export const formatGithubPrId = (repo: string, number: number): string =>
  `${GITHUB}:${repo}#${number}`;

/**
 * The login as the REST API and webhooks write it: GraphQL leaves out the suffix of apps, which
 * without it have someone else's name.
 */
export function toGithubLogin(actor: Actor | null): string {
  if (actor === null) return GONE;
  const isBare = actor.__typename === 'Bot' && !actor.login.endsWith(BOT);
  return isBare ? `${actor.login}${BOT}` : actor.login;
}

const STATES: Readonly<Record<PrNode['state'], PrState>> = {
  OPEN: 'open',
  CLOSED: 'closed',
  MERGED: 'merged',
};
const FAILED = new Set(['FAILURE', 'ERROR', 'TIMED_OUT', 'STARTUP_FAILURE', 'ACTION_REQUIRED']);
/** `has_hooks`: clean, on a server where a hook may still refuse the push. */
const CLEAN = new Set(['clean', 'has_hooks']);
const OUTCOMES: Readonly<Record<string, CheckOutcome>> = {
  SUCCESS: 'passed',
  NEUTRAL: 'skipped',
  SKIPPED: 'skipped',
  CANCELLED: 'stopped',
  STALE: 'stopped',
};

function toGithubCheckOutcome(node: CheckNode): CheckOutcome {
  const result =
    node.__typename === 'CheckRun'
      ? node.status === 'COMPLETED'
        ? (node.conclusion ?? '')
        : 'PENDING'
      : node.state;
  return FAILED.has(result) ? 'failed' : (OUTCOMES[result] ?? 'pending');
}

export function toGithubCheck(node: CheckNode): PrCheck {
  const [name, url] =
    node.__typename === 'CheckRun' ? [node.name, node.detailsUrl] : [node.context, node.targetUrl];
  const outcome = toGithubCheckOutcome(node);
  const state = outcome === 'skipped' || outcome === 'stopped' ? 'neutral' : outcome;
  return { name, state, url: url ?? '' };
}

export const listGithubChecks = (pr: PrNode): CheckNode[] =>
  pr.commits.nodes[0]?.commit.statusCheckRollup?.contexts.nodes ?? [];

/**
 * What the checks of the newest commit amount to; `onlyRequired`: those alone that the base branch
 * demands.
 */
export function deriveGithubChecks(
  { pr, checksProblem }: GithubPrData,
  onlyRequired = false,
): PrChecks {
  const countedChecks = listGithubChecks(pr).filter(
    ({ isRequired }) => !onlyRequired || isRequired,
  );
  return summarizeChecks(countedChecks.map(toGithubCheckOutcome), checksProblem);
}

/** The newest decision of each account, without dismissed ones. */
function pickNewestDecisions(reviews: readonly ReviewNode[]): (ReviewNode & { login: string })[] {
  const decisions = new Map<string, ReviewNode>();
  for (const review of reviews) {
    const { author, state } = review;
    if (state === 'APPROVED' || state === 'CHANGES_REQUESTED' || state === 'DISMISSED')
      decisions.set(toGithubLogin(author), review);
  }
  return [...decisions].map(([login, review]) => ({ ...review, login }));
}

/** The prefix tells the kind of comment, since GitHub numbers each kind separately. */
export const commentId = {
  issue: (id: number | string) => `issue-${id}`,
  review: (id: number | string) => `review-${id}`,
  thread: (id: number | string) => `thread-${id}`,
};

/**
 * The number of a comment in the REST API; its global id where GitHub gives no number, so that no
 * two comments have the same.
 */
export const toCommentNumber = ({ id, fullDatabaseId, databaseId }: NumberedComment): string =>
  String(fullDatabaseId ?? databaseId ?? id);

/** The order of two numbers of any size; 0 for anything else. */
const compareCommentNumbers = (a: string, b: string): number =>
  /^\d+$/.test(a) && /^\d+$/.test(b) ? a.length - b.length || (a < b ? -1 : a > b ? 1 : 0) : 0;

/**
 * Comments on code in the order of writing: GitHub's times are whole seconds, but it numbers the
 * comments of all threads in one sequence.
 */
export const listCodeComments = ({ reviewThreads }: PrNode) =>
  reviewThreads.nodes
    .flatMap(({ path, line, comments }) =>
      comments.nodes.map((comment) => ({ ...comment, path, line })),
    )
    .sort((a, b) => compareCommentNumbers(toCommentNumber(a), toCommentNumber(b)));

/** Everything that was said about it, oldest first. */
export function toGithubThread(pr: PrNode): PrComment[] {
  const { comments, reviews } = pr;
  const base = (id: string, author: Actor | null, body: string, at: string): PrComment => ({
    id,
    author: toGithubLogin(author),
    body: removeMark(body),
    inReplyTo: null,
    at: toIsoDate(at),
  });
  const all = [
    ...comments.nodes.map((one) =>
      base(commentId.issue(toCommentNumber(one)), one.author, one.body, one.createdAt),
    ),
    ...reviews.nodes
      .filter(({ body, submittedAt }) => submittedAt !== null && removeMark(body).trim() !== '')
      .map((one) =>
        base(commentId.review(toCommentNumber(one)), one.author, one.body, one.submittedAt ?? ''),
      ),
    ...listCodeComments(pr).map((one) => ({
      ...base(commentId.thread(toCommentNumber(one)), one.author, one.body, one.createdAt),
      inReplyTo: one.replyTo ? commentId.thread(toCommentNumber(one.replyTo)) : null,
    })),
  ];
  return all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

export const toGithubMapping = (
  { slug, pr }: GithubPrData,
  workItem: string | null = null,
): PrMapping => ({
  prId: formatGithubPrId(slug, pr.number),
  forge: GITHUB,
  repo: slug,
  number: pr.number,
  title: pr.title,
  head: pr.headRefName,
  base: pr.baseRefName,
  url: pr.url,
  state: STATES[pr.state],
  workItem,
  mergedAt: pr.mergedAt === null ? null : toIsoDate(pr.mergedAt),
});

/** GitHub's own word on a merge. */
function deriveGithubMergeState({ state, mergeStateStatus }: PrNode): PrMergeState | null {
  if (state !== 'OPEN' || typeof mergeStateStatus !== 'string') return null;
  const word = mergeStateStatus.toLowerCase();
  return { word, clean: CLEAN.has(word) };
}

export function toGithubPrDetail(githubPrData: GithubPrData): PrDetail {
  const { pr } = githubPrData;
  const thread = toGithubThread(pr);
  const decisions = pickNewestDecisions(pr.reviews.nodes);
  const approvals = decisions.filter(({ state }) => state === 'APPROVED');
  return {
    ...toGithubMapping(githubPrData),
    body: removeMark(pr.body),
    author: toGithubLogin(pr.author),
    approvals: approvals.map(({ login }) => login),
    headCommit: pr.headRefOid,
    headApprovals: approvals.flatMap(({ login, commit }) =>
      commit?.oid === pr.headRefOid ? [login] : [],
    ),
    changesRequested: decisions
      .filter(({ state }) => state === 'CHANGES_REQUESTED')
      .map(({ login }) => login),
    checksState: deriveGithubChecks(githubPrData),
    requiredChecks: deriveGithubChecks(githubPrData, true),
    mergeState: deriveGithubMergeState(pr),
    mergeable:
      pr.state !== 'OPEN' || pr.mergeable === 'UNKNOWN' ? null : pr.mergeable === 'MERGEABLE',
    comments: thread.length,
    createdAt: toIsoDate(pr.createdAt),
    thread,
    checks: listGithubChecks(pr).map(toGithubCheck),
    reviewThreads: pr.reviewThreads.nodes.map(
      ({ id, path, line, diffSide, isResolved, comments }) => ({
        id,
        path,
        line,
        ...(diffSide === 'LEFT' ? { side: 'before' as const } : {}),
        resolved: isResolved,
        commentIds: comments.nodes.map((one) => commentId.thread(toCommentNumber(one))),
      }),
    ),
    ...githubPrData.parts.toDetail(),
  };
}

export interface RestPr {
  number: number;
  title: string;
  body: string | null;
  html_url: string;
  state: string;
  created_at: string;
  merged_at: string | null;
  head: { ref: string; sha: string };
  base: { ref: string; repo: { full_name: string } };
  user: { login: string } | null;
}

export const toRestMapping = (pr: RestPr, workItem: string | null = null): PrMapping => ({
  prId: formatGithubPrId(pr.base.repo.full_name, pr.number),
  forge: GITHUB,
  repo: pr.base.repo.full_name,
  number: pr.number,
  title: pr.title,
  head: pr.head.ref,
  base: pr.base.ref,
  url: pr.html_url,
  workItem,
  state: pr.merged_at !== null ? 'merged' : pr.state === 'open' ? 'open' : 'closed',
  mergedAt: pr.merged_at === null ? null : toIsoDate(pr.merged_at),
});

export const toRestPrStatus = (pr: RestPr): PrStatus => ({
  ...toRestMapping(pr),
  body: removeMark(pr.body ?? ''),
  author: pr.user?.login ?? GONE,
  approvals: [],
  mergeable: null,
  comments: 0,
  createdAt: toIsoDate(pr.created_at),
});
