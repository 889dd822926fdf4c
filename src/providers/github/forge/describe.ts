import { toIsoDate } from '../../../lib/untrusted.ts';
import type { PrMapping, PrState } from '../../../schema/pr.ts';
import type {
  PrCheck,
  PrChecks,
  PrComment,
  PrDetail,
  PrMergeState,
  PrStatus,
} from '../../../contract/forge.ts';
import { withoutMark } from '../../../git/marks.ts';
import { type CheckOutcome, checksState } from '../../rest/checksState.ts';
import type { Actor, CheckNode, Numbered, PrNode, ReviewNode } from './queries.ts';
import type { ReadPr } from './readPullRequest.ts';

export const GITHUB = 'github';
/** GitHub's own name for accounts that are gone. */
const GONE = 'ghost';
const BOT = '[bot]';

export const prIdOf = (repo: string, number: number): string => `${GITHUB}:${repo}#${number}`;

/**
 * As the REST API and webhooks write it: GraphQL leaves out the ending of programs, without which
 * an app has the name of someone else.
 */
export function loginOf(actor: Actor | null): string {
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

function outcomeOf(node: CheckNode): CheckOutcome {
  const result =
    node.__typename === 'CheckRun'
      ? node.status === 'COMPLETED'
        ? (node.conclusion ?? '')
        : 'PENDING'
      : node.state;
  return FAILED.has(result) ? 'failed' : (OUTCOMES[result] ?? 'pending');
}

export function checkOf(node: CheckNode): PrCheck {
  const [name, url] =
    node.__typename === 'CheckRun' ? [node.name, node.detailsUrl] : [node.context, node.targetUrl];
  const outcome = outcomeOf(node);
  const state = outcome === 'skipped' || outcome === 'stopped' ? 'neutral' : outcome;
  return { name, state, url: url ?? '' };
}

export const checksOf = (pr: PrNode): CheckNode[] =>
  pr.commits.nodes[0]?.commit.statusCheckRollup?.contexts.nodes ?? [];

/**
 * What the checks of the newest commit amount to; `onlyRequired`: those alone that the base branch
 * demands.
 */
export function checksStateOf({ pr, checksProblem }: ReadPr, onlyRequired = false): PrChecks {
  const counted = checksOf(pr).filter(({ isRequired }) => !onlyRequired || isRequired);
  return checksState(counted.map(outcomeOf), checksProblem);
}

/** The newest decision of each account; one that was dismissed is none any more. */
function decisionsOf(reviews: readonly ReviewNode[]): (ReviewNode & { login: string })[] {
  const decisions = new Map<string, ReviewNode>();
  for (const review of reviews) {
    const { author, state } = review;
    if (state === 'APPROVED' || state === 'CHANGES_REQUESTED' || state === 'DISMISSED')
      decisions.set(loginOf(author), review);
  }
  return [...decisions].map(([login, review]) => ({ ...review, login }));
}

/** Ids say what kind of comment it is, since GitHub numbers each kind apart. */
export const commentId = {
  issue: (id: number | string) => `issue-${id}`,
  review: (id: number | string) => `review-${id}`,
  thread: (id: number | string) => `thread-${id}`,
};

/**
 * The number of a comment as the REST API has it; its global id where GitHub gives no number, so that
 * two comments never have the same.
 */
export const numberOf = ({ id, fullDatabaseId, databaseId }: Numbered): string =>
  String(fullDatabaseId ?? databaseId ?? id);

/** The order of two numbers of any size; of anything else none. */
const byNumber = (a: string, b: string): number =>
  /^\d+$/.test(a) && /^\d+$/.test(b) ? a.length - b.length || (a < b ? -1 : a > b ? 1 : 0) : 0;

/**
 * Comments in the code, as they were written: GitHub tells whole seconds, but numbers those of all
 * threads in one row.
 */
export const writtenInCode = ({ reviewThreads }: PrNode) =>
  reviewThreads.nodes
    .flatMap(({ path, line, comments }) =>
      comments.nodes.map((comment) => ({ ...comment, path, line })),
    )
    .sort((a, b) => byNumber(numberOf(a), numberOf(b)));

/** All that was said about it, oldest first. */
export function threadOf(pr: PrNode): PrComment[] {
  const { comments, reviews } = pr;
  const base = (id: string, author: Actor | null, body: string, at: string): PrComment => ({
    id,
    author: loginOf(author),
    body: withoutMark(body),
    inReplyTo: null,
    at: toIsoDate(at),
  });
  const all = [
    ...comments.nodes.map((one) =>
      base(commentId.issue(numberOf(one)), one.author, one.body, one.createdAt),
    ),
    ...reviews.nodes
      .filter(({ body, submittedAt }) => submittedAt !== null && withoutMark(body).trim() !== '')
      .map((one) =>
        base(commentId.review(numberOf(one)), one.author, one.body, one.submittedAt ?? ''),
      ),
    ...writtenInCode(pr).map((one) => ({
      ...base(commentId.thread(numberOf(one)), one.author, one.body, one.createdAt),
      inReplyTo: one.replyTo ? commentId.thread(numberOf(one.replyTo)) : null,
    })),
  ];
  return all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

export const mappingOf = ({ slug, pr }: ReadPr, workItem: string | null = null): PrMapping => ({
  prId: prIdOf(slug, pr.number),
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
function mergeStateOf({ state, mergeStateStatus }: PrNode): PrMergeState | null {
  if (state !== 'OPEN' || typeof mergeStateStatus !== 'string') return null;
  const word = mergeStateStatus.toLowerCase();
  return { word, clean: CLEAN.has(word) };
}

export function detailOf(read: ReadPr): PrDetail {
  const { pr } = read;
  const thread = threadOf(pr);
  const decisions = decisionsOf(pr.reviews.nodes);
  const approvals = decisions.filter(({ state }) => state === 'APPROVED');
  return {
    ...mappingOf(read),
    body: withoutMark(pr.body),
    author: loginOf(pr.author),
    approvals: approvals.map(({ login }) => login),
    headCommit: pr.headRefOid,
    headApprovals: approvals.flatMap(({ login, commit }) =>
      commit?.oid === pr.headRefOid ? [login] : [],
    ),
    changesRequested: decisions
      .filter(({ state }) => state === 'CHANGES_REQUESTED')
      .map(({ login }) => login),
    checksState: checksStateOf(read),
    requiredChecks: checksStateOf(read, true),
    mergeState: mergeStateOf(pr),
    mergeable:
      pr.state !== 'OPEN' || pr.mergeable === 'UNKNOWN' ? null : pr.mergeable === 'MERGEABLE',
    comments: thread.length,
    createdAt: toIsoDate(pr.createdAt),
    thread,
    checks: checksOf(pr).map(checkOf),
    reviewThreads: pr.reviewThreads.nodes.map(
      ({ id, path, line, diffSide, isResolved, comments }) => ({
        id,
        path,
        line,
        ...(diffSide === 'LEFT' ? { side: 'before' as const } : {}),
        resolved: isResolved,
        commentIds: comments.nodes.map((one) => commentId.thread(numberOf(one))),
      }),
    ),
    ...read.parts.toDetail(),
  };
}

/** A pull request of the REST API, as far as we look at it. */
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

export const restMappingOf = (pr: RestPr, workItem: string | null = null): PrMapping => ({
  prId: prIdOf(pr.base.repo.full_name, pr.number),
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

export const restStatusOf = (pr: RestPr): PrStatus => ({
  ...restMappingOf(pr),
  body: withoutMark(pr.body ?? ''),
  author: pr.user?.login ?? GONE,
  approvals: [],
  mergeable: null,
  comments: 0,
  createdAt: toIsoDate(pr.created_at),
});
