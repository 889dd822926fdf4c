import { compareDates, toWholeNumber, toIsoDate } from '../../../base/json/untrusted.ts';
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
import type { UnreadParts } from '../../rest/unreadParts.ts';
import type {
  Account,
  BuildStatus,
  Comment,
  CommentId,
  MergeCheck,
  Participant,
  PullRequest,
} from './resources.ts';

export const BITBUCKET = 'bitbucket';
/** For accounts that are gone. */
const GONE = 'former user';

export const formatBitbucketPrId = (repo: string, number: number): string =>
  `${BITBUCKET}:${repo}#${number}`;
export const pickBitbucketName = (account: Account | null): string =>
  account?.nickname || account?.display_name || GONE;

export interface BitbucketPrData {
  pr: PullRequest;
  comments: Comment[];
  builds: BuildStatus[];
  buildsProblem: string | null;
  /** null = Bitbucket does not say. */
  mergeable: boolean | null;
  mergeChecks: MergeCheck[];
  parts: UnreadParts;
}

const STATES: Readonly<Record<PullRequest['state'], PrState>> = {
  OPEN: 'open',
  MERGED: 'merged',
  DECLINED: 'closed',
  SUPERSEDED: 'closed',
};
const OUTCOMES: Readonly<Record<BuildStatus['state'], CheckOutcome>> = {
  SUCCESSFUL: 'passed',
  FAILED: 'failed',
  INPROGRESS: 'pending',
  STOPPED: 'stopped',
};

const toBuildOutcome = ({ state }: BuildStatus): CheckOutcome => OUTCOMES[state] ?? 'pending';

export function toBuildCheck(build: BuildStatus): PrCheck {
  const outcome = toBuildOutcome(build);
  const state = outcome === 'stopped' || outcome === 'skipped' ? 'neutral' : outcome;
  return { name: build.name || build.key, state, url: build.url ?? '' };
}

export const deriveBitbucketChecks = ({
  pr,
  builds,
  buildsProblem,
}: Pick<BitbucketPrData, 'pr' | 'builds' | 'buildsProblem'>): PrChecks =>
  summarizeChecks(
    readBitbucketHead(pr) === ''
      ? []
      : pickNewestBuilds(builds, readBitbucketHead(pr)).map(toBuildOutcome),
    buildsProblem ?? '',
  );

/** Bitbucket has no single word for it: the first merge check that is not met, or `clean`. */
function deriveBitbucketMergeState({ pr, mergeChecks }: BitbucketPrData): PrMergeState | null {
  if (pr.state !== 'OPEN' || mergeChecks.length === 0) return null;
  const unmet = mergeChecks.find(({ status }) => status !== 'PASSED' && status !== 'SKIPPED');
  return unmet
    ? { word: unmet.check?.kind ?? unmet.type, clean: false }
    : { word: 'clean', clean: true };
}

/**
 * The newest build of each key for the newest commit: the list also holds earlier commits and runs.
 */
export function pickNewestBuilds(builds: readonly BuildStatus[], head: string): BuildStatus[] {
  const statuses = new Map<string, BuildStatus>();
  for (const build of builds.toSorted((a, b) => compareDates(a.updated_on, b.updated_on))) {
    const commit = build.links?.commit?.href.split('/').at(-1);
    if (commit === undefined || head === '' || commit.startsWith(head) || head.startsWith(commit))
      statuses.set(build.key, build);
  }
  return [...statuses.values()];
}

export const readBitbucketHead = ({ source }: PullRequest): string => source.commit?.hash ?? '';

export function toBitbucketMapping(pr: PullRequest, workItem: string | null = null): PrMapping {
  const repo = pr.destination.repository.full_name;
  const state = STATES[pr.state];
  return {
    prId: formatBitbucketPrId(repo, pr.id),
    forge: BITBUCKET,
    repo,
    number: pr.id,
    title: pr.title,
    state,
    workItem,
    head: pr.source.branch.name,
    base: pr.destination.branch.name,
    url: pr.links.html.href,
    // The only place with the time of the merge; only comments change it afterwards.
    mergedAt: state === 'merged' ? toIsoDate(pr.updated_on) : null,
  };
}

const listBitbucketApprovers = (participants: readonly Participant[]): string[] =>
  participants.filter(({ approved }) => approved).map(({ user }) => pickBitbucketName(user));

export const toBitbucketPrStatus = (pr: PullRequest): PrStatus => ({
  ...toBitbucketMapping(pr),
  body: removeMark(pr.summary?.raw ?? ''),
  author: pickBitbucketName(pr.author),
  approvals: listBitbucketApprovers(pr.participants ?? []),
  mergeable: null,
  comments: toWholeNumber(pr.comment_count) ?? 0,
  createdAt: toIsoDate(pr.created_on),
});

export function findBitbucketRootComment(
  comment: Comment,
  all: ReadonlyMap<CommentId, Comment>,
): Comment {
  let root = comment;
  // Guards against an endless loop if Bitbucket ever answers a cycle.
  for (let steps = 0; steps < all.size; steps += 1) {
    const parent = root.parent ? all.get(root.parent.id) : undefined;
    if (!parent) return root;
    root = parent;
  }
  return root;
}

export const indexBitbucketComments = (comments: readonly Comment[]): Map<CommentId, Comment> =>
  new Map(comments.map((one) => [one.id, one]));

const toBitbucketComment = ({ id, user, content, parent, created_on }: Comment): PrComment => ({
  id: String(id),
  author: pickBitbucketName(user),
  body: removeMark(content.raw),
  inReplyTo: parent ? String(parent.id) : null,
  at: toIsoDate(created_on),
});

function groupBitbucketThreads(comments: readonly Comment[]): PrDetail['reviewThreads'] {
  const all = indexBitbucketComments(comments);
  const ids = new Map<Comment, string[]>();
  for (const comment of comments) {
    const root = findBitbucketRootComment(comment, all);
    if (root.inline) ids.set(root, [...(ids.get(root) ?? []), String(comment.id)]);
  }
  return [...ids].map(([{ id, inline, resolution }, commentIds]) => ({
    id: String(id),
    path: inline?.path ?? '',
    line: inline?.outdated ? null : (inline?.to ?? inline?.from ?? null),
    ...(inline?.to == null && inline?.from != null ? { side: 'before' as const } : {}),
    resolved: resolution != null,
    commentIds,
  }));
}

const listBitbucketHeadApprovals = (
  participants: readonly Participant[],
  pushedAt: string | null,
): string[] =>
  pushedAt === null
    ? []
    : listBitbucketApprovers(
        participants.filter(
          ({ participated_on: at }) => at !== null && Date.parse(at) >= Date.parse(pushedAt),
        ),
      );

/** `pushedAt`: when the newest commit came, ISO 8601; null where Bitbucket does not say. */
export function toBitbucketPrDetail(
  bitbucketPrData: BitbucketPrData,
  pushedAt: string | null,
): PrDetail {
  const { pr, comments, builds, mergeable } = bitbucketPrData;
  const checks = deriveBitbucketChecks(bitbucketPrData);
  return {
    ...toBitbucketPrStatus(pr),
    mergeable,
    comments: comments.length,
    thread: comments.map(toBitbucketComment),
    headCommit: readBitbucketHead(pr),
    headApprovals: listBitbucketHeadApprovals(pr.participants ?? [], pushedAt),
    changesRequested: (pr.participants ?? [])
      .filter(({ state }) => state === 'changes_requested')
      .map(({ user }) => pickBitbucketName(user)),
    checksState: checks,
    requiredChecks: checks,
    mergeState: deriveBitbucketMergeState(bitbucketPrData),
    checks: pickNewestBuilds(builds, readBitbucketHead(pr)).map(toBuildCheck),
    reviewThreads: groupBitbucketThreads(comments),
    ...bitbucketPrData.parts.toDetail(),
  };
}
