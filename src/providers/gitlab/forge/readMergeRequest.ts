import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { readAtPath, toListOrEmpty, readTextAt } from '../../../base/json/untrusted.ts';
import type { PrPart } from '../../../contract/schema/forge/prDetail.ts';
import {
  expectAuthor,
  expectDate,
  expectId,
  expectList,
  expectNumber,
  expectText,
} from '../../rest/expectedValues.ts';
import { readAnswer } from '../../rest/lenientReader.ts';
import { readOptional } from '../../rest/readOptional.ts';
import { UnreadParts } from '../../rest/unreadParts.ts';
import type {
  Approvals,
  CommitStatus,
  Discussion,
  GitlabNote,
  GitlabUser,
  MergeRequest,
} from './answers.ts';
import { type GitlabClient, PAGE } from './client.ts';
import { readRequestedChanges } from './readRequestedChanges.ts';

export interface MergeRequestNews {
  mr: MergeRequest;
  /** In the order of their first notes. */
  discussions: Discussion[];
  statuses: CommitStatus[];
  /** Why the results cannot be read; null = they can. */
  statusesProblem: string | null;
  parts: UnreadParts;
}

/** Parts that are missing without the discussions, where GitLab also notes reviews. */
const TALK: readonly PrPart[] = ['comments', 'reviews', 'threads'];

export interface MergeRequestData extends MergeRequestNews {
  approvals: Approvals['approved_by'];
  /** Why it is unknown who has approved; null = it is known. */
  approvalsProblem: string | null;
  changesRequested: GitlabUser[];
  /** ISO 8601: when its newest commit came; null where GitLab does not say. */
  pushedAt: string | null;
}

export interface DiffVersion {
  head_commit_sha: string;
  base_commit_sha: string;
  start_commit_sha: string;
  created_at: string;
}

export async function getMergeRequest(
  client: GitlabClient,
  slug: string,
  number: number,
): Promise<MergeRequest> {
  const what = describePullRequest(slug, number);
  const mr = await client.rest.get<MergeRequest>(what, client.mergeRequest(slug, number));
  readAnswer(client.rest.server, what, () => {
    expectNumber(mr.iid, 'its number');
    expectText(mr.state, 'its state');
    expectText(mr.references?.full, 'the name of its project');
  });
  return mr;
}

export const listDiscussions = (
  client: GitlabClient,
  slug: string,
  number: number,
): Promise<Discussion[]> =>
  client.rest.list(
    describePullRequest(slug, number),
    `${client.mergeRequest(slug, number)}/discussions`,
    {
      per_page: PAGE,
    },
  );

export const getApprovals = (
  client: GitlabClient,
  slug: string,
  number: number,
): Promise<Approvals> =>
  client.rest.get(
    describePullRequest(slug, number),
    `${client.mergeRequest(slug, number)}/approvals`,
  );

/** Newest first. */
export const listVersions = (
  client: GitlabClient,
  slug: string,
  number: number,
): Promise<DiffVersion[]> =>
  client.rest.list(
    describePullRequest(slug, number),
    `${client.mergeRequest(slug, number)}/versions`,
    { per_page: PAGE },
    PAGE,
  );

async function listCommitStatuses(
  client: GitlabClient,
  slug: string,
  { iid, head_pipeline: pipeline }: MergeRequest,
): Promise<CommitStatus[]> {
  // Every report for a commit makes a pipeline: without one there is nothing to ask for.
  if (!pipeline) return [];
  const query = { pipeline_id: pipeline.id, per_page: PAGE };
  const commitStatuses = await client.rest.list<CommitStatus>(
    describePullRequest(slug, iid),
    `${client.project(slug)}/repository/commits/${pipeline.sha}/statuses`,
    query,
  );
  // An older server ignores the filter by pipeline.
  return commitStatuses.filter(({ pipeline_id: of }) => of == null || of === pipeline.id);
}

/** Throws, with the wrong value, for a note that svc cannot read. */
function checkNote(note: GitlabNote): void {
  expectText(note.body, 'the body of a note');
  expectId(note.id, 'the id of a note');
  expectDate(note.created_at, 'the date of a note');
  expectAuthor(note.author, 'username');
}

const readDiscussions = (parts: UnreadParts, discussions: readonly Discussion[]): Discussion[] =>
  parts.read(TALK, discussions, (one) => {
    const notes = expectList(one.notes, 'the list of notes');
    return { ...one, notes: parts.keep(TALK, notes, checkNote) };
  });

const checkStatus = ({ id, name, status }: CommitStatus): void => {
  expectId(id, 'the id of a check');
  expectText(name, 'the name of a check');
  expectText(status, 'the state of a check');
};

/**
 * Reads what shows what has happened. Parts that cannot be read are missing, and named in `parts`.
 * Throws SvcError `not-found`.
 */
export async function readMergeRequestNews(
  client: GitlabClient,
  slug: string,
  number: number,
): Promise<MergeRequestNews> {
  const mr = await getMergeRequest(client, slug, number);
  const parts = new UnreadParts();
  const discussions = await parts.ask(TALK, listDiscussions(client, slug, number));
  const statuses = await parts.ask(['checks'], readOptional(listCommitStatuses(client, slug, mr)));
  const checkedStatuses = parts.keep(['checks'], statuses?.value ?? [], checkStatus);
  return {
    mr,
    discussions: readDiscussions(parts, discussions ?? []),
    statuses: checkedStatuses,
    statusesProblem: statuses?.problem ?? (parts.why('checks') || null),
    parts,
  };
}

/** Who has approved. An old GitLab CE does not have this part of the API. */
async function readApprovalList(
  client: GitlabClient,
  slug: string,
  number: number,
  parts: UnreadParts,
): Promise<Pick<MergeRequestData, 'approvals' | 'approvalsProblem'>> {
  const request = readOptional(getApprovals(client, slug, number));
  const answer = await parts.ask(['reviews'], request);
  if (answer === null) return { approvals: [], approvalsProblem: parts.why('reviews') };
  const { value, problem } = answer;
  const approvers = toListOrEmpty(readAtPath(value, 'approved_by'));
  const approvals = approvers.filter((one) => readTextAt(one, 'user', 'username') !== '');
  const unlike = `${client.host} answers about the approvals of ${describePullRequest(slug, number)} with something other than a list.`;
  return {
    approvals: approvals as Approvals['approved_by'],
    approvalsProblem: problem ?? (Array.isArray(readAtPath(value, 'approved_by')) ? null : unlike),
  };
}

/** Reads a merge request with its approvals and requested changes. Throws SvcError `not-found`. */
export async function readMergeRequest(
  client: GitlabClient,
  slug: string,
  number: number,
): Promise<MergeRequestData> {
  const mergeRequestNews = await readMergeRequestNews(client, slug, number);
  const { mr, discussions, parts } = mergeRequestNews;
  const approvals = await readApprovalList(client, slug, number, parts);
  const versions =
    approvals.approvals.length === 0
      ? null
      : await parts.ask(['reviews'], readOptional(listVersions(client, slug, number)));
  // Newest first; versions after a rebase without other changes may have the same commit.
  const [newest] = versions?.value ?? [];
  return {
    ...mergeRequestNews,
    ...approvals,
    changesRequested: await readRequestedChanges(client, slug, mr, discussions, parts),
    pushedAt: newest && newest.head_commit_sha === mr.sha ? newest.created_at : null,
  };
}
