import type {
  CommandReply,
  CreatedJob,
  CreateJobBody,
  ForgeActorBody,
  ForgeCommentBody,
  MessageBody,
  ReasonBody,
  ResumeBody,
  WhatIfBody,
} from '../schema/bodies.ts';
import type { Insight, Job, JobSummary } from '../schema/job.ts';
import type { JobsQuery, JournalQuery, StreamQuery } from '../schema/queries.ts';
import type {
  ForgeRepo,
  Health,
  JournalEntry,
  MachineReply,
  PullRequest,
  PullRequestThread,
  WhatIfReply,
  WhyReply,
} from '../schema/replies.ts';
import type { WorkflowEntry } from '../schema/workflow.ts';
import { createTransport, type TransportOptions } from './transport.ts';

/** Makes a command that is sent twice happen once: any text of 1 to 128 printable ASCII characters. */
export interface CommandOptions {
  idempotencyKey?: string;
}

/**
 * A client of the runner's HTTP surface, for browsers and Node alike; one method per route, named like its operation.
 *
 * Every method throws ClientError { status, code, problem } when the runner refuses, SvcError `unreachable` when none
 * answers, and the signal's reason where one was given and aborted.
 */
export function createClient(options: TransportOptions) {
  const { baseUrl, json, text, bytes, open } = createTransport(options);
  const job = (id: string) => `/jobs/${encodeURIComponent(id)}`;
  const repo = (slug: string) => `/forges/local/repos/${encodeURIComponent(slug)}/prs`;

  return {
    baseUrl,
    health: () => json<Health>('GET', '/health'),
    workflows: async () => (await json<{ workflows: WorkflowEntry[] }>('GET', '/workflows')).workflows,
    openapi: () => json<Record<string, unknown>>('GET', '/openapi.json'),

    createJob: (body: CreateJobBody, command?: CommandOptions) => json<CreatedJob>('POST', '/jobs', { body, ...command }),
    /** One page, and how many jobs there are in all. */
    async jobs(query: JobsQuery = {}): Promise<{ jobs: JobSummary[]; total: number }> {
      const response = await open('GET', '/jobs', { query });
      const jobs: JobSummary[] = await response.json();
      return { jobs, total: Number(response.headers.get('X-Total-Count') ?? jobs.length) };
    },
    job: (id: string) => json<Job>('GET', job(id)),
    /** The raw reply of the stream; `followJob` reads it. */
    stream: (id: string, query: StreamQuery, { lastEventId, signal }: { lastEventId?: number; signal?: AbortSignal } = {}) =>
      open('GET', `${job(id)}/stream`, {
        query,
        ...(lastEventId === undefined ? {} : { lastEventId }),
        ...(signal ? { signal } : {}),
      }),
    /** Content as text. */
    artefact: (id: string, artefactId: string) => text(`${job(id)}/artifacts/${encodeURIComponent(artefactId)}/content`),
    artefactBytes: (id: string, artefactId: string) => bytes(`${job(id)}/artifacts/${encodeURIComponent(artefactId)}/content`),
    insights: (id: string) => json<Insight[]>('GET', `${job(id)}/insights`),
    async removeInsight(id: string, insightId: string): Promise<void> {
      await open('DELETE', `${job(id)}/insights/${encodeURIComponent(insightId)}`);
    },

    resume: (id: string, body: ResumeBody, command?: CommandOptions) =>
      json<CommandReply>('POST', `${job(id)}/resume`, { body, ...command }),
    cancel: (id: string, body: ReasonBody = {}, command?: CommandOptions) =>
      json<CommandReply>('POST', `${job(id)}/cancel`, { body, ...command }),
    pause: (id: string, command?: CommandOptions) => json<CommandReply>('POST', `${job(id)}/pause`, { body: {}, ...command }),
    message: (id: string, body: MessageBody, command?: CommandOptions) =>
      json<CommandReply>('POST', `${job(id)}/message`, { body, ...command }),
    rerun: (id: string, phase: string, command?: CommandOptions) =>
      json<CommandReply>('POST', `${job(id)}/phases/${encodeURIComponent(phase)}/rerun`, { body: {}, ...command }),

    why: (id: string) => json<WhyReply>('GET', `${job(id)}/why`),
    whatIf: (id: string, event: WhatIfBody['event'] & { [member: string]: unknown }) =>
      json<WhatIfReply>('POST', `${job(id)}/what-if`, { body: { event } }),
    machine: (id: string) => json<MachineReply>('GET', `${job(id)}/machine`),
    journal: (id: string, query: JournalQuery = {}) => json<JournalEntry[]>('GET', `${job(id)}/journal`, { query }),

    forgeRepos: () => json<ForgeRepo[]>('GET', '/forges/local/repos'),
    pullRequests: (slug: string) => json<PullRequest[]>('GET', repo(slug)),
    pullRequest: (slug: string, number: number) => json<PullRequestThread>('GET', `${repo(slug)}/${number}`),
    pullRequestDiff: (slug: string, number: number) => text(`${repo(slug)}/${number}/diff`),
    approvePullRequest: (slug: string, number: number, body: ForgeActorBody = {}, command?: CommandOptions) =>
      json<PullRequest>('POST', `${repo(slug)}/${number}/approve`, { body, ...command }),
    commentPullRequest: (slug: string, number: number, body: ForgeCommentBody, command?: CommandOptions) =>
      json<PullRequest>('POST', `${repo(slug)}/${number}/comment`, { body, ...command }),
    mergePullRequest: (slug: string, number: number, body: ForgeActorBody = {}, command?: CommandOptions) =>
      json<PullRequest>('POST', `${repo(slug)}/${number}/merge`, { body, ...command }),
  };
}

export type Client = ReturnType<typeof createClient>;
