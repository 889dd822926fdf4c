import type { Approvals, CommitStatus, Discussion, MergeRequest } from './answers.ts';
import { type GitlabClient, nameOf, PAGE } from './client.ts';

/** A merge request with what was said about it and the results of its newest pipeline. */
export interface ReadNews {
  mr: MergeRequest;
  /** In the order in which they began. */
  discussions: Discussion[];
  statuses: CommitStatus[];
}

export interface ReadMr extends ReadNews {
  approvals: Approvals['approved_by'];
}

export const getMergeRequest = (client: GitlabClient, slug: string, number: number): Promise<MergeRequest> =>
  client.rest.get(nameOf(slug, number), client.mergeRequest(slug, number));

export const listDiscussions = (client: GitlabClient, slug: string, number: number): Promise<Discussion[]> =>
  client.rest.list(nameOf(slug, number), `${client.mergeRequest(slug, number)}/discussions`, { per_page: PAGE });

export const getApprovals = (client: GitlabClient, slug: string, number: number): Promise<Approvals> =>
  client.rest.get(nameOf(slug, number), `${client.mergeRequest(slug, number)}/approvals`);

/** The jobs of the newest pipeline, and what other programs have reported for its commit. */
async function statusesOf(
  client: GitlabClient,
  slug: string,
  { iid, head_pipeline: pipeline }: MergeRequest,
): Promise<CommitStatus[]> {
  // Whatever is reported for a commit makes a pipeline: without one there is nothing to ask for.
  if (!pipeline) return [];
  const query = { pipeline_id: pipeline.id, per_page: PAGE };
  return client.rest.list(nameOf(slug, iid), `${client.project(slug)}/repository/commits/${pipeline.sha}/statuses`, query);
}

/** What tells what has happened. Throws SvcError `not-found`. */
export async function readForNews(client: GitlabClient, slug: string, number: number): Promise<ReadNews> {
  const mr = await getMergeRequest(client, slug, number);
  return { mr, discussions: await listDiscussions(client, slug, number), statuses: await statusesOf(client, slug, mr) };
}

/** With who has approved. Throws SvcError `not-found`. */
export async function readMergeRequest(client: GitlabClient, slug: string, number: number): Promise<ReadMr> {
  const read = await readForNews(client, slug, number);
  return { ...read, approvals: (await getApprovals(client, slug, number)).approved_by };
}
