import type { ProviderEventKind } from '../../../contract/schema/forge/pr.ts';
import type { AuthoredEvent } from '../../../contract/forge/forge.ts';
import { expectNumber, expectWord } from '../../rest/expectedValues.ts';
import {
  archivedHindrance,
  createGoneBranchHindrance,
  lockedConversationHindrance,
  type Hindrance,
} from '../../rest/hindrance.ts';
import { readMergeStatus } from './mergeStatus.ts';
import {
  toCheckEvents,
  toConflictEvent,
  type Doer,
  composeNews,
  createProgramDoer,
  type RawEvent,
} from '../../rest/composeNews.ts';
import type { GitlabNote, GitlabUser, MergeRequest } from './answers.ts';
import {
  toGitlabCheck,
  deriveGitlabChecks,
  GITLAB,
  isSettledMr,
  formatNoteId,
  buildNoteUrl,
  locateNote,
  formatGitlabPrId,
  readGitlabSlug,
} from './describe.ts';
import { APPROVED, REQUESTED_CHANGES } from './notes.ts';
import type { MergeRequestNews } from './readMergeRequest.ts';

export interface AboutNews {
  /** Login of svc's account. */
  self: string;
  selfIsPerson: boolean;
  now: number;
  doer(slug: string, user: GitlabUser | null): Promise<Doer>;
}

/** GitLab's own notes about reviews, by their words. */
const REPORTED: readonly [body: RegExp, kind: ProviderEventKind, text: string][] = [
  [APPROVED, 'approved', ''],
  [/^unapproved this merge request$/, 'commented', '(withdrew the approval)'],
  [REQUESTED_CHANGES, 'changes_requested', ''],
];
/**
 * GitLab's notes about an accepted merge that it will not do. Their author is who asked for the
 * merge, maybe svc, so they are reported as a program's.
 */
const GIVEN_UP =
  /^(?:removed this merge request from the merge train|aborted this merge request from the merge train|aborted the automatic merge)\b/;

/** The event of a note; null for what wakes no job: labels, commits, mentions. */
function classifyNote({
  body,
  system,
  ...note
}: GitlabNote): { kind: ProviderEventKind; text: string } | null {
  if (system) {
    const [, kind, text = ''] = REPORTED.find(([words]) => words.test(body.trim())) ?? [];
    return kind === undefined ? null : { kind, text };
  }
  const place = locateNote({ body, system, ...note });
  if (!place) return { kind: 'commented', text: body };
  return {
    kind: 'review_thread',
    text: `${place.path}${place.line === null ? '' : `:${place.line}`}\n${body}`,
  };
}

async function readGitlabStateEvents(
  mr: MergeRequest,
  { now, doer }: AboutNews,
): Promise<RawEvent[]> {
  const slug = readGitlabSlug(mr);
  if (mr.state === 'merged') {
    const id = mr.merge_commit_sha ?? mr.squash_commit_sha ?? mr.sha ?? '';
    return [{ kind: 'merged', id, at: mr.merged_at ?? '', by: await doer(slug, mr.merge_user) }];
  }
  if (mr.state === 'closed') {
    const at = mr.closed_at ?? '';
    return [{ kind: 'closed', id: at, at, by: await doer(slug, mr.closed_by) }];
  }
  const isStuck = mr.state === 'opened' && mr.has_conflicts && isSettledMr(mr);
  return isStuck ? [toConflictEvent(mr.sha ?? '', mr.source_branch, mr.target_branch, now)] : [];
}

const toDroppedTrainEvent = (
  mr: MergeRequest,
  { id, body, created_at: at }: GitlabNote,
): RawEvent => ({
  kind: 'check_failed',
  id: formatNoteId(id),
  at,
  by: createProgramDoer('merge train'),
  text: `GitLab will not merge it: ${body.trim()}.`,
  url: buildNoteUrl(mr, id),
});

/** All that has happened to a merge request; see `composeNews`. */
export async function collectGitlabNews(
  mergeRequestNews: MergeRequestNews,
  about: AboutNews,
): Promise<AuthoredEvent[]> {
  const { mr, discussions, statuses, parts } = mergeRequestNews;
  const repo = readGitlabSlug(mr);
  const number = expectNumber(mr.iid, 'its number');
  expectWord(mr.state, ['opened', 'closed', 'locked', 'merged'], 'its state');
  const notes = discussions.flatMap((discussion) => discussion.notes);
  const reportedEvents = await parts.readInTurn(
    ['comments'],
    notes,
    async (note): Promise<RawEvent[]> => {
      if (note.system && GIVEN_UP.test(note.body)) return [toDroppedTrainEvent(mr, note)];
      const what = classifyNote(note);
      if (!what) return [];
      const by = await about.doer(repo, note.author);
      return [
        {
          ...what,
          id: formatNoteId(note.id),
          at: note.created_at,
          by,
          url: buildNoteUrl(mr, note.id),
        },
      ];
    },
  );
  const runs = statuses.map((status) => ({
    ...toGitlabCheck(status),
    run: status.id,
    at: status.finished_at ?? status.created_at,
  }));
  reportedEvents.push(
    ...toCheckEvents(mr.sha ?? '', runs, deriveGitlabChecks(mergeRequestNews).state === 'green'),
  );
  const pr = { forge: GITLAB, repo, number, prId: formatGitlabPrId(repo, number), url: mr.web_url };
  return composeNews(pr, reportedEvents, await readGitlabStateEvents(mr, about), about, parts);
}

/** GitLab's status for a merge request one of whose branches is gone. */
const BRANCH_GONE = new Set(['broken_status', 'commits_status']);

/** Why not everything can come from it, as GitLab shows it. */
export function listGitlabHindrances(
  { mr, parts }: MergeRequestNews,
  isArchived: boolean,
): Hindrance[] {
  if (mr.state !== 'opened') return parts.hindrances();
  const isGone = BRANCH_GONE.has(readMergeStatus(mr) ?? '');
  return [
    ...(isArchived ? [archivedHindrance] : []),
    ...(mr.discussion_locked === true ? [lockedConversationHindrance] : []),
    ...(isGone ? [createGoneBranchHindrance(`${mr.source_branch} or ${mr.target_branch}`)] : []),
    ...parts.hindrances(),
  ];
}
