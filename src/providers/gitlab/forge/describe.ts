import { toWholeNumber, toIsoDate } from '../../../base/json/untrusted.ts';
import type { PrMapping, PrState } from '../../../contract/schema/forge/pr.ts';
import type {
  PrCheck,
  PrChecks,
  PrComment,
  PrDetail,
  PrStatus,
} from '../../../contract/forge/forge.ts';
import { removeMark } from '../../../git/marks.ts';
import { type CheckOutcome, summarizeChecks } from '../../rest/summarizeChecks.ts';
import type { CommitStatus, Discussion, GitlabNote, GitlabUser, MergeRequest } from './answers.ts';
import { readMergeStatus } from './mergeStatus.ts';
import { APPROVED } from './notes.ts';
import type { MergeRequestData, MergeRequestNews } from './readMergeRequest.ts';

export const GITLAB = 'gitlab';
const GONE = 'ghost';

const STATES: Readonly<Record<MergeRequest['state'], PrState>> = {
  opened: 'open',
  locked: 'open',
  closed: 'closed',
  merged: 'merged',
};
/**
 * GitLab computes in the background whether a merge is possible; in these states nothing it says
 * about that counts.
 */
const UNSETTLED = new Set(['unchecked', 'checking', 'preparing', 'approvals_syncing']);
const OUTCOMES: Readonly<Record<string, CheckOutcome>> = {
  success: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  canceled: 'stopped',
  canceling: 'stopped',
};

export const isSettledMr = (mr: MergeRequest): boolean => !UNSETTLED.has(readMergeStatus(mr) ?? '');

export const isConflictFree = (mr: MergeRequest): boolean =>
  mr.state === 'opened' && isSettledMr(mr) && !mr.has_conflicts;

export const formatGitlabPrId = (repo: string, number: number): string =>
  `${GITLAB}:${repo}#${number}`;
export const toGitlabLogin = (user: GitlabUser | null): string => user?.username ?? GONE;
/** The project as GitLab writes it, whatever name was asked for. */
export const readGitlabSlug = ({ references }: MergeRequest): string =>
  references.full.replace(/!\d+$/, '');

export const formatNoteId = (id: number): string => `note-${id}`;
export const buildNoteUrl = ({ web_url: url }: MergeRequest, id: number): string =>
  `${url}#note_${id}`;

export function locateNote({
  type,
  position,
}: GitlabNote): { path: string; line: number | null; side?: 'before' } | null {
  if (type !== 'DiffNote' || !position) return null;
  const isBefore = position.new_line == null && position.old_line != null;
  return {
    path: position.new_path ?? position.old_path ?? '',
    line: position.new_line ?? position.old_line ?? null,
    ...(isBefore ? { side: 'before' as const } : {}),
  };
}

export const toGitlabMapping = (mr: MergeRequest, workItem: string | null = null): PrMapping => ({
  prId: formatGitlabPrId(readGitlabSlug(mr), mr.iid),
  forge: GITLAB,
  repo: readGitlabSlug(mr),
  number: mr.iid,
  title: mr.title,
  head: mr.source_branch,
  base: mr.target_branch,
  url: mr.web_url,
  state: STATES[mr.state],
  workItem,
  mergedAt: mr.merged_at === null ? null : toIsoDate(mr.merged_at),
});

export const toGitlabPrStatus = (mr: MergeRequest): PrStatus => ({
  ...toGitlabMapping(mr),
  body: removeMark(mr.description ?? ''),
  author: toGitlabLogin(mr.author),
  approvals: [],
  mergeable: null,
  comments: toWholeNumber(mr.user_notes_count) ?? 0,
  createdAt: toIsoDate(mr.created_at),
});

/** A job that may fail does not count if it has failed or waits for a manual start. */
const toGitlabCheckOutcome = ({ status, allow_failure: mayFail }: CommitStatus): CheckOutcome =>
  mayFail === true && ['failed', 'manual', 'canceled'].includes(status)
    ? 'skipped'
    : (OUTCOMES[status] ?? 'pending');

export function toGitlabCheck(check: CommitStatus): PrCheck {
  const outcome = toGitlabCheckOutcome(check);
  const state = outcome === 'skipped' || outcome === 'stopped' ? 'neutral' : outcome;
  return { name: check.name, state, url: check.target_url ?? '' };
}

/**
 * Whether the newest pipeline ran for the newest commit, or for GitLab's trial merge of it (merged
 * results).
 */
const isPipelineOfHead = ({ sha, iid, head_pipeline: pipeline }: MergeRequest): boolean =>
  pipeline != null &&
  (pipeline.sha === sha || pipeline.ref.startsWith(`refs/merge-requests/${iid}/merge`));

/**
 * The state of the newest commit's checks: never better than the pipeline's own status, which
 * includes jobs that are yet to come.
 */
export function deriveGitlabChecks({ mr, statuses, statusesProblem }: MergeRequestNews): PrChecks {
  if (!mr.head_pipeline || !isPipelineOfHead(mr)) return summarizeChecks([]);
  if (statusesProblem !== null) return summarizeChecks([], statusesProblem);
  const summary = summarizeChecks(statuses.map(toGitlabCheckOutcome));
  if (summary.state !== 'green' || mr.head_pipeline.status === 'success') return summary;
  return summarizeChecks([OUTCOMES[mr.head_pipeline.status] ?? 'pending']);
}

/**
 * Accounts whose approval still stands and came after the newest commit; GitLab's own notes have
 * the times.
 */
function listGitlabHeadApprovals({
  mr,
  discussions,
  approvals,
  pushedAt,
}: MergeRequestData): string[] {
  if (mr.sha === null || pushedAt === null) return [];
  const gitlabNotes = discussions
    .flatMap(({ notes }) => notes)
    .filter(
      ({ system, body, created_at: at }) =>
        system && APPROVED.test(body.trim()) && Date.parse(at) >= Date.parse(pushedAt),
    );
  const ids = new Set(gitlabNotes.map(({ author }) => author?.id));
  return approvals.flatMap(({ user }) => (ids.has(user.id) ? [user.username] : []));
}

/** Notes of people and programs, without those that GitLab writes about what was done. */
export const listSpokenNotes = ({ notes }: Discussion): GitlabNote[] =>
  notes.filter(({ system }) => !system);

function toGitlabThread(discussions: readonly Discussion[]): PrComment[] {
  const all = discussions.flatMap((discussion) =>
    listSpokenNotes(discussion).map(
      ({ id, author, body, created_at: at }, n, { [0]: first }): PrComment => {
        const inReplyTo = n === 0 || !first ? null : formatNoteId(first.id);
        return {
          id: formatNoteId(id),
          author: toGitlabLogin(author),
          body: removeMark(body),
          inReplyTo,
          at: toIsoDate(at),
        };
      },
    ),
  );
  return all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

const listGitlabReviewThreads = (discussions: readonly Discussion[]): PrDetail['reviewThreads'] =>
  discussions.flatMap((discussion) => {
    const notes = listSpokenNotes(discussion);
    const [first] = notes;
    const place = first ? locateNote(first) : null;
    if (!place) return [];
    const resolvable = notes.filter((note) => note.resolvable);
    const resolved = resolvable.length > 0 && resolvable.every((note) => note.resolved === true);
    return [
      {
        id: discussion.id,
        ...place,
        resolved,
        commentIds: notes.map(({ id }) => formatNoteId(id)),
      },
    ];
  });

export function toGitlabPrDetail(mergeRequestData: MergeRequestData): PrDetail {
  const { mr, discussions, approvals, approvalsProblem, statuses } = mergeRequestData;
  const thread = toGitlabThread(discussions);
  const checks = deriveGitlabChecks(mergeRequestData);
  const word = readMergeStatus(mr);
  const isOpen = STATES[mr.state] === 'open';
  return {
    ...toGitlabPrStatus(mr),
    approvals: approvals.map(({ user }) => user.username),
    ...(approvalsProblem === null ? {} : { approvalsProblem }),
    // Where GitLab says nothing, the merge counts as unknown, not as impossible.
    mergeable: !isOpen || word === null || !isSettledMr(mr) ? null : word === 'mergeable',
    comments: thread.length,
    thread,
    headCommit: mr.sha ?? '',
    headApprovals: listGitlabHeadApprovals(mergeRequestData),
    changesRequested: mergeRequestData.changesRequested.map(({ username }) => username),
    checksState: checks,
    requiredChecks: checks,
    mergeState: isOpen && word !== null ? { word, clean: word === 'mergeable' } : null,
    checks: statuses.map(toGitlabCheck),
    reviewThreads: listGitlabReviewThreads(discussions),
    ...mergeRequestData.parts.toDetail(),
  };
}
