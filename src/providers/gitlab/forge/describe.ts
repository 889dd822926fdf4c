import { toCount, toIsoDate } from '../../../lib/untrusted.ts';
import type { PrMapping, PrState } from '../../../schema/pr.ts';
import type { PrCheck, PrChecks, PrComment, PrDetail, PrStatus } from '../../../contract/forge.ts';
import { withoutMark } from '../../../git/marks.ts';
import { type CheckOutcome, checksState } from '../../rest/checksState.ts';
import type { CommitStatus, Discussion, GitlabNote, GitlabUser, MergeRequest } from './answers.ts';
import { readMergeStatus } from './mergeStatus.ts';
import { APPROVED } from './notes.ts';
import type { ReadMr, ReadNews } from './readMergeRequest.ts';

export const GITLAB = 'gitlab';
/** GitLab's own name for accounts that are gone. */
const GONE = 'ghost';

const STATES: Readonly<Record<MergeRequest['state'], PrState>> = {
  opened: 'open',
  locked: 'open',
  closed: 'closed',
  merged: 'merged',
};
/**
 * GitLab finds out in the background whether it can be merged; until then nothing that it says of
 * that counts.
 */
const UNSETTLED = new Set(['unchecked', 'checking', 'preparing', 'approvals_syncing']);
const OUTCOMES: Readonly<Record<string, CheckOutcome>> = {
  success: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  canceled: 'stopped',
  canceling: 'stopped',
};

export const isSettled = (mr: MergeRequest): boolean => !UNSETTLED.has(readMergeStatus(mr) ?? '');

/** Known to be without conflicts. */
export const isFree = (mr: MergeRequest): boolean =>
  mr.state === 'opened' && isSettled(mr) && !mr.has_conflicts;

export const prIdOf = (repo: string, number: number): string => `${GITLAB}:${repo}#${number}`;
export const loginOf = (user: GitlabUser | null): string => user?.username ?? GONE;
/** The project as GitLab writes it, whatever name was asked for. */
export const slugOf = ({ references }: MergeRequest): string =>
  references.full.replace(/!\d+$/, '');

export const noteId = (id: number): string => `note-${id}`;
export const noteUrl = ({ web_url: url }: MergeRequest, id: number): string => `${url}#note_${id}`;

/** Where in the code a note stands; null for one that stands nowhere. */
export function placeOf({
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

export const mappingOf = (mr: MergeRequest, workItem: string | null = null): PrMapping => ({
  prId: prIdOf(slugOf(mr), mr.iid),
  forge: GITLAB,
  repo: slugOf(mr),
  number: mr.iid,
  title: mr.title,
  head: mr.source_branch,
  base: mr.target_branch,
  url: mr.web_url,
  state: STATES[mr.state],
  workItem,
  mergedAt: mr.merged_at === null ? null : toIsoDate(mr.merged_at),
});

export const statusOf = (mr: MergeRequest): PrStatus => ({
  ...mappingOf(mr),
  body: withoutMark(mr.description ?? ''),
  author: loginOf(mr.author),
  approvals: [],
  mergeable: null,
  comments: toCount(mr.user_notes_count) ?? 0,
  createdAt: toIsoDate(mr.created_at),
});

/**
 * A job that may fail does not count once it has failed, or while it waits to be started by hand.
 */
const outcomeOf = ({ status, allow_failure: mayFail }: CommitStatus): CheckOutcome =>
  mayFail === true && ['failed', 'manual', 'canceled'].includes(status)
    ? 'skipped'
    : (OUTCOMES[status] ?? 'pending');

export function checkOf(check: CommitStatus): PrCheck {
  const outcome = outcomeOf(check);
  const state = outcome === 'skipped' || outcome === 'stopped' ? 'neutral' : outcome;
  return { name: check.name, state, url: check.target_url ?? '' };
}

/**
 * Whether the newest pipeline ran for the newest commit; one of merged results ran for a merge of
 * it that GitLab made.
 */
const isOfHead = ({ sha, iid, head_pipeline: pipeline }: MergeRequest): boolean =>
  pipeline != null &&
  (pipeline.sha === sha || pipeline.ref.startsWith(`refs/merge-requests/${iid}/merge`));

/**
 * What the checks of the newest commit amount to: never better than the word of the pipeline, which
 * knows of jobs yet to come.
 */
export function checksStateOf({ mr, statuses, statusesProblem }: ReadNews): PrChecks {
  if (!mr.head_pipeline || !isOfHead(mr)) return checksState([]);
  if (statusesProblem !== null) return checksState([], statusesProblem);
  const known = checksState(statuses.map(outcomeOf));
  if (known.state !== 'green' || mr.head_pipeline.status === 'success') return known;
  return checksState([OUTCOMES[mr.head_pipeline.status] ?? 'pending']);
}

/**
 * Accounts whose approval still stands and came after the newest commit; GitLab's own notes say
 * when each was given.
 */
function headApprovalsOf({ mr, discussions, approvals, pushedAt }: ReadMr): string[] {
  if (mr.sha === null || pushedAt === null) return [];
  const given = discussions
    .flatMap(({ notes }) => notes)
    .filter(
      ({ system, body, created_at: at }) =>
        system && APPROVED.test(body.trim()) && Date.parse(at) >= Date.parse(pushedAt),
    );
  const ids = new Set(given.map(({ author }) => author?.id));
  return approvals.flatMap(({ user }) => (ids.has(user.id) ? [user.username] : []));
}

/** What people and programs have written: GitLab writes notes of its own about whatever is done. */
export const spoken = ({ notes }: Discussion): GitlabNote[] =>
  notes.filter(({ system }) => !system);

function threadOf(discussions: readonly Discussion[]): PrComment[] {
  const all = discussions.flatMap((discussion) =>
    spoken(discussion).map(({ id, author, body, created_at: at }, n, { [0]: first }): PrComment => {
      const inReplyTo = n === 0 || !first ? null : noteId(first.id);
      return {
        id: noteId(id),
        author: loginOf(author),
        body: withoutMark(body),
        inReplyTo,
        at: toIsoDate(at),
      };
    }),
  );
  return all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

const reviewThreadsOf = (discussions: readonly Discussion[]): PrDetail['reviewThreads'] =>
  discussions.flatMap((discussion) => {
    const notes = spoken(discussion);
    const [first] = notes;
    const place = first ? placeOf(first) : null;
    if (!place) return [];
    const resolvable = notes.filter((note) => note.resolvable);
    const resolved = resolvable.length > 0 && resolvable.every((note) => note.resolved === true);
    return [
      { id: discussion.id, ...place, resolved, commentIds: notes.map(({ id }) => noteId(id)) },
    ];
  });

export function detailOf(read: ReadMr): PrDetail {
  const { mr, discussions, approvals, approvalsProblem, statuses } = read;
  const thread = threadOf(discussions);
  const checks = checksStateOf(read);
  const word = readMergeStatus(mr);
  const isOpen = STATES[mr.state] === 'open';
  return {
    ...statusOf(mr),
    approvals: approvals.map(({ user }) => user.username),
    ...(approvalsProblem === null ? {} : { approvalsProblem }),
    // What GitLab does not say is unknown, not in the way.
    mergeable: !isOpen || word === null || !isSettled(mr) ? null : word === 'mergeable',
    comments: thread.length,
    thread,
    headCommit: mr.sha ?? '',
    headApprovals: headApprovalsOf(read),
    changesRequested: read.changesRequested.map(({ username }) => username),
    checksState: checks,
    requiredChecks: checks,
    mergeState: isOpen && word !== null ? { word, clean: word === 'mergeable' } : null,
    checks: statuses.map(checkOf),
    reviewThreads: reviewThreadsOf(discussions),
    ...read.parts.toDetail(),
  };
}
