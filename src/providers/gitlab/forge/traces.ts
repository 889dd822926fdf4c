import { SvcError } from '../../../base/errors/errors.ts';
import type { PrAddress } from '../../../contract/forge/forge.ts';
import { classifyFailure, MAX_UNANSWERED } from '../../rest/classifyFailure.ts';
import { Traces } from '../../rest/traces.ts';
import { toFields, readNumberAt, toStringOrEmpty } from '../../../base/json/untrusted.ts';
import type { ArchivedProjects } from './archivedProjects.ts';
import type { MergeRequest, Pipeline } from './answers.ts';
import { type GitlabClient, PAGE } from './client.ts';
import { isSettledMr } from './describe.ts';

/**
 * Age that what GitLab shows may have, ms: it writes notes and finds conflicts in the background.
 */
export const CONSISTENCY_MS = 15_000;

/**
 * Asks two questions for a hundred merge requests of one project: their list, and the newest
 * pipelines.
 */
export const createGitlabTraces = (
  client: GitlabClient,
  archivedProjects: ArchivedProjects,
): Traces =>
  new Traces({
    windowMs: CONSISTENCY_MS,
    async ask(prs) {
      const texts = new Map<PrAddress, string | null>();
      let unansweredCount = 0;
      for (const repo of new Set(prs.map((pr) => pr.repo.toLowerCase()))) {
        const some = prs.filter((pr) => pr.repo.toLowerCase() === repo);
        try {
          await askProjectTraces(client, archivedProjects, repo, some, texts);
          unansweredCount = 0;
        } catch (error) {
          const failure = classifyFailure(error);
          if (failure === 'no answer') unansweredCount += 1;
          if (failure === 'all' || unansweredCount >= MAX_UNANSWERED) throw error;
          for (const pr of some) texts.set(pr, null);
        }
      }
      return prs.map((pr) => texts.get(pr));
    },
  });

const isHiddenProject = (error: unknown): boolean =>
  error instanceof SvcError &&
  (error.code === 'not-found' || error.code === 'forbidden' || error.code === 'bad-argument');

async function askProjectTraces(
  client: GitlabClient,
  archivedProjects: ArchivedProjects,
  repo: string,
  prs: readonly PrAddress[],
  texts: Map<PrAddress, string | null>,
): Promise<void> {
  try {
    const pipelines = await listNewestPipelines(client, repo);
    const isArchived = await archivedProjects.has(repo);
    for (let from = 0; from < prs.length; from += PAGE) {
      const some = prs.slice(from, from + PAGE);
      const query = {
        'iids[]': some.map(({ number }) => number),
        state: 'all',
        with_merge_status_recheck: true,
        per_page: PAGE,
      };
      const mergeRequests = await client.rest.list<MergeRequest>(
        `repository ${repo}`,
        `${client.project(repo)}/merge_requests`,
        query,
      );
      for (const mr of mergeRequests) {
        const number = readNumberAt(mr, 'iid');
        for (const pr of some)
          if (pr.number === number) texts.set(pr, formatGitlabTrace(mr, pipelines, isArchived));
      }
      // A missing merge request is gone, unless an entry without a number may be it.
      const isComplete = mergeRequests.every((mr) => readNumberAt(mr, 'iid') !== null);
      for (const pr of some) if (!isComplete && !texts.has(pr)) texts.set(pr, null);
    }
  } catch (error) {
    // The project is gone or hidden; the others must still be reported.
    if (!isHiddenProject(error)) throw error;
  }
}

/** Empty for a project without pipelines, or where the token may not see them. */
async function listNewestPipelines(client: GitlabClient, repo: string): Promise<Pipeline[]> {
  const query = { order_by: 'updated_at', sort: 'desc', per_page: PAGE };
  try {
    return await client.rest.list(
      `pipelines of ${repo}`,
      `${client.project(repo)}/pipelines`,
      query,
      PAGE,
    );
  } catch (error) {
    if (isHiddenProject(error)) return [];
    throw error;
  }
}

/** Every note, even GitLab's own, changes `updated_at`; a pipeline does not. */
function formatGitlabTrace(
  mr: MergeRequest,
  pipelines: readonly Pipeline[],
  isArchived: boolean,
): string {
  const own = pipelines
    .map(toFields)
    .filter(
      ({ sha, ref }) =>
        sha === mr.sha || toStringOrEmpty(ref).startsWith(`refs/merge-requests/${mr.iid}/`),
    )
    .map(({ id, status }) => `${id} ${status}`)
    .sort();
  // GitLab shows a conflict of earlier commits until it has tried the new ones, so it may still be
  // there.
  const conflict = mr.has_conflicts && !isSettledMr(mr) ? 'perhaps' : mr.has_conflicts;
  const { updated_at: at, state, sha, user_notes_count: notes, discussion_locked: locked } = mr;
  // The status stays as it was until GitLab has checked again; a deleted branch is not an event.
  const isGone = ['broken_status', 'commits_status'].includes(mr.detailed_merge_status ?? '');
  return JSON.stringify([at, state, sha, conflict, notes, own, isArchived, locked, isGone]);
}
