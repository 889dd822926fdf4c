import type { ForgeView } from '../../contract/schema/forge/forge.ts';
import type { BackupBody } from '../../contract/schema/runner/backup.ts';
import type { GcBody, GcReply, GcSchedule } from '../../contract/schema/runner/gc.ts';
import type {
  CommandReply,
  CreatedJob,
  CreateJobBody,
  ForgeActorBody,
  ForgeCommentBody,
  ForgeMergeBody,
  ForgeReasonBody,
  MessageBody,
  ReasonBody,
  ResumeBody,
  WhatIfBody,
} from '../../contract/schema/api/bodies.ts';
import type { Campaign } from '../../contract/schema/job/campaign.ts';
import type {
  ConfigPatch,
  ConfigReply,
  ConfigSchemaReply,
} from '../../contract/schema/runner/config.ts';
import type {
  RestartBody,
  RestartReply,
  StopReply,
} from '../../contract/schema/runner/handover.ts';
import type { Job, JobSummary } from '../../contract/schema/job/job.ts';
import type { MessageReceipt } from '../../contract/schema/session/message.ts';
import type { EndedLogins, LoginLink } from '../../contract/schema/runner/login.ts';
import type { McpServerList } from '../../contract/schema/session/mcpServer.ts';
import type {
  LogMatches,
  LogPage,
  LogQuery,
  LogSearchQuery,
} from '../../contract/schema/job/jobLog.ts';
import type { Machine, MachineReply } from '../../contract/schema/workflow/machine.ts';
import type {
  JobCountsQuery,
  JobsQuery,
  JournalQuery,
  StreamQuery,
  MessagesQuery,
} from '../../contract/schema/api/queries.ts';
import type {
  ForgeRepo,
  Health,
  JobCounts,
  JournalEntry,
  PullRequest,
  PullRequestThread,
  WhatIfReply,
  WhyReply,
} from '../../contract/schema/api/replies.ts';
import type {
  SubRunAction,
  SubRunActionBody,
  SubRunReply,
  SubRunWhatIf,
  SubRunWhatIfBody,
} from '../../contract/schema/job/subRun.ts';
import type { JobTimeline } from '../../contract/schema/job/timeline.ts';
import type { TriggerView } from '../../contract/schema/forge/trigger.ts';
import type { TrustBody, TrustView } from '../../contract/schema/workflow/trust.ts';
import type { Estimate } from '../../contract/schema/policy/estimate.ts';
import type { Statistics, StatisticsQuery } from '../../contract/schema/api/statistics.ts';
import type { WorkflowEntry } from '../../contract/schema/workflow/workflow.ts';
import { createAuthoringMethods } from './authoringMethods.ts';
import { createGuardrailMethods } from './guardrailMethods.ts';
import { createInsightMethods } from './insightMethods.ts';
import { createProposalMethods } from './proposalMethods.ts';
import type { CommandOptions } from './commandOptions.ts';
import { createDecisionMethods } from './decisionMethods.ts';
import { createIntakeMethods } from './intakeMethods.ts';
import { createPluginMethods } from './pluginMethods.ts';
import { createSetUpMethods } from './setUpMethods.ts';
import { createReviewMethods } from './reviewMethods.ts';
import { createSpendingMethods } from './spendingMethods.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export type { CommandOptions };

/** The configuration and the version of the file that it was read from. */
const readTaggedConfig = async (
  response: Response,
): Promise<{ etag: string; reply: ConfigReply }> => ({
  etag: response.headers.get('ETag') ?? '',
  reply: await response.json(),
});

/**
 * A client of the runner's HTTP API, for browsers and Node; one method per route, named like its
 * operation, and `child` for the older paths of sub-runs.
 *
 * Every method throws ClientError { status, code, problem } when the runner refuses, SvcError
 * `unreachable` when none answers, and the signal's reason where one was given and aborted.
 */
export function createClient(options: TransportOptions) {
  const { baseUrl, json, text, bytes, open } = createTransport(options);
  const job = (id: string) => `/jobs/${encodeURIComponent(id)}`;
  const subRun = (id: string, name: string) => `${job(id)}/sub-runs/${encodeURIComponent(name)}`;
  const repo = (slug: string) => `/forges/local/repos/${encodeURIComponent(slug)}/prs`;

  return {
    baseUrl,
    health: () => json<Health>('GET', '/health'),
    /** One request's part; `next` of the reply is `after` of the next request. */
    gc: (body: GcBody = {}) => json<GcReply>('POST', '/gc', { body }),
    gcSchedule: () => json<GcSchedule>('GET', '/gc'),
    /** A backup of the home as a tar. */
    async backup(body: BackupBody = {}, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
      const response = await open('POST', '/backup', { body, ...(signal ? { signal } : {}) });
      return response.body ?? new ReadableStream();
    },
    /** In the text format of Prometheus. */
    metrics: () => text('/metrics'),
    stopRunner: () => json<StopReply>('POST', '/runner/stop', { body: {} }),
    restartRunner: (body: RestartBody = {}) =>
      json<RestartReply>('POST', '/runner/restart', { body }),
    workflows: async () =>
      (await json<{ workflows: WorkflowEntry[] }>('GET', '/workflows')).workflows,
    openapi: () => json<Record<string, unknown>>('GET', '/openapi.json'),

    config: async () => readTaggedConfig(await open('GET', '/config')),
    configSchema: () => json<ConfigSchemaReply>('GET', '/config/schema'),
    /**
     * `etag`: the version that `patch`, a merge patch, applies to; omitted = any version.
     */
    updateConfig: async (patch: ConfigPatch, etag?: string) =>
      readTaggedConfig(
        await open('PUT', '/config', {
          body: patch,
          ...(etag === undefined ? {} : { ifMatch: etag }),
        }),
      ),

    inheritedMcps: () => json<McpServerList>('GET', '/config/inherited-mcps'),

    ...createAuthoringMethods({ json, open }),
    ...createIntakeMethods({ json, open }),
    ...createSetUpMethods({ json }),

    trust: () => json<TrustView[]>('GET', '/trust'),
    addTrust: (body: TrustBody) => json<TrustView>('POST', '/trust', { body }),
    async removeTrust(slug: string): Promise<void> {
      await open('DELETE', `/trust/${encodeURIComponent(slug)}`);
    },

    createJob: (body: CreateJobBody, command?: CommandOptions) =>
      json<CreatedJob>('POST', '/jobs', { body, ...command }),
    /** What a job of this request may use; nothing is made. */
    estimateJob: (body: CreateJobBody) => json<Estimate>('POST', '/jobs/estimate', { body }),
    /** One page and the total number of jobs. */
    async jobs(query: JobsQuery = {}): Promise<{ jobs: JobSummary[]; total: number }> {
      const response = await open('GET', '/jobs', { query });
      const jobs: JobSummary[] = await response.json();
      return { jobs, total: Number(response.headers.get('X-Total-Count') ?? jobs.length) };
    },
    jobCounts: (query: JobCountsQuery = {}) => json<JobCounts>('GET', '/jobs/counts', { query }),
    /** The raw reply of the stream of changes of the list; `watchJobs` reads it. */
    jobsStream: (signal?: AbortSignal) => open('GET', '/jobs/stream', signal ? { signal } : {}),
    job: (id: string) => json<Job>('GET', job(id)),
    /** The raw reply of the stream; `followJob` reads it. */
    stream: (
      id: string,
      query: StreamQuery,
      { lastEventId, signal }: { lastEventId?: number; signal?: AbortSignal } = {},
    ) =>
      open('GET', `${job(id)}/stream`, {
        query,
        ...(lastEventId === undefined ? {} : { lastEventId }),
        ...(signal ? { signal } : {}),
      }),
    /** Content as text. */
    artefact: (id: string, artefactId: string) =>
      text(`${job(id)}/artifacts/${encodeURIComponent(artefactId)}/content`),
    artefactBytes: (id: string, artefactId: string) =>
      bytes(`${job(id)}/artifacts/${encodeURIComponent(artefactId)}/content`),

    resume: (id: string, body: ResumeBody, command?: CommandOptions) =>
      json<CommandReply>('POST', `${job(id)}/resume`, { body, ...command }),
    cancel: (id: string, body: ReasonBody = {}, command?: CommandOptions) =>
      json<CommandReply>('POST', `${job(id)}/cancel`, { body, ...command }),
    pause: (id: string, command?: CommandOptions) =>
      json<CommandReply>('POST', `${job(id)}/pause`, { body: {}, ...command }),
    dismiss: (id: string, command?: CommandOptions) =>
      json<JobSummary>('POST', `${job(id)}/dismiss`, { body: {}, ...command }),
    undismiss: (id: string, command?: CommandOptions) =>
      json<JobSummary>('POST', `${job(id)}/undismiss`, { body: {}, ...command }),
    message: (id: string, body: MessageBody, command?: CommandOptions) =>
      json<CommandReply>('POST', `${job(id)}/message`, { body, ...command }),
    /** One page, oldest first, and the total number; default: the newest 100. */
    async messages(
      id: string,
      query: MessagesQuery = {},
    ): Promise<{ messages: MessageReceipt[]; total: number }> {
      const response = await open('GET', `${job(id)}/messages`, { query });
      const messages: MessageReceipt[] = await response.json();
      return { messages, total: Number(response.headers.get('X-Total-Count') ?? messages.length) };
    },
    rerun: (id: string, phase: string, command?: CommandOptions) =>
      json<CommandReply>('POST', `${job(id)}/phases/${encodeURIComponent(phase)}/rerun`, {
        body: {},
        ...command,
      }),

    campaign: (id: string) => json<Campaign>('GET', `${job(id)}/sub-runs`),
    subRunWhatIf: (id: string, name: string, body: SubRunWhatIfBody) =>
      json<SubRunWhatIf>('POST', `${subRun(id, name)}/what-if`, { body }),
    skipSubRun: (id: string, name: string, body: ReasonBody = {}, command?: CommandOptions) =>
      json<SubRunReply>('POST', `${subRun(id, name)}/skip`, { body, ...command }),
    unskipSubRun: (id: string, name: string, body: ReasonBody = {}, command?: CommandOptions) =>
      json<SubRunReply>('POST', `${subRun(id, name)}/unskip`, { body, ...command }),
    rerunSubRun: (
      id: string,
      name: string,
      body: SubRunActionBody = {},
      command?: CommandOptions,
    ) => json<SubRunReply>('POST', `${subRun(id, name)}/rerun`, { body, ...command }),
    cancelSubRun: (id: string, name: string, body: ReasonBody = {}, command?: CommandOptions) =>
      json<SubRunReply>('POST', `${subRun(id, name)}/cancel`, { body, ...command }),
    child: (
      id: string,
      name: string,
      action: Exclude<SubRunAction, 'unskip'>,
      body: SubRunActionBody = {},
      command?: CommandOptions,
    ) =>
      json<SubRunReply>('POST', `${job(id)}/children/${encodeURIComponent(name)}/${action}`, {
        body,
        ...command,
      }),

    mcpServers: (id: string) => json<McpServerList>('GET', `${job(id)}/mcp-servers`),
    why: (id: string) => json<WhyReply>('GET', `${job(id)}/why`),
    whatIf: (id: string, event: WhatIfBody['event'] & { [member: string]: unknown }) =>
      json<WhatIfReply>('POST', `${job(id)}/what-if`, { body: { event } }),
    machine: (id: string) => json<MachineReply>('GET', `${job(id)}/machine`),
    machines: async () => (await json<{ machines: Machine[] }>('GET', '/machines')).machines,
    log: (id: string, query: LogQuery = {}) => json<LogPage>('GET', `${job(id)}/log`, { query }),
    searchLog: (id: string, query: LogSearchQuery, signal?: AbortSignal) =>
      json<LogMatches>('GET', `${job(id)}/log/search`, { query, ...(signal ? { signal } : {}) }),
    /** The whole log as text. */
    logText: (id: string) => text(`${job(id)}/log.txt`),
    timeline: (id: string) => json<JobTimeline>('GET', `${job(id)}/timeline`),
    journal: (id: string, query: JournalQuery = {}) =>
      json<JournalEntry[]>('GET', `${job(id)}/journal`, { query }),

    ...createPluginMethods({ json, open }),

    /** A link that logs a browser in, once; needs the token. */
    createLogin: () => json<LoginLink>('POST', '/logins', { body: {} }),
    /** Ends the login that this browser has. */
    async logout(): Promise<void> {
      await open('POST', '/logout', { body: {} });
    },
    endLogins: () => json<EndedLogins>('DELETE', '/logins'),

    ...createSpendingMethods({ json, open }),
    ...createGuardrailMethods({ json, open }),
    ...createInsightMethods({ json, open }),
    ...createProposalMethods({ json, open }),
    ...createDecisionMethods({ json, open }),
    statistics: (query: StatisticsQuery = {}) => json<Statistics>('GET', '/statistics', { query }),
    forges: () => json<ForgeView[]>('GET', '/forges'),
    triggers: () => json<TriggerView[]>('GET', '/triggers'),
    forgeRepos: () => json<ForgeRepo[]>('GET', '/forges/local/repos'),
    pullRequests: (slug: string) => json<PullRequest[]>('GET', repo(slug)),
    ...createReviewMethods({ json, bytes, open }),
    pullRequest: (slug: string, number: number) =>
      json<PullRequestThread>('GET', `${repo(slug)}/${number}`),
    pullRequestDiff: (slug: string, number: number) => text(`${repo(slug)}/${number}/diff`),
    approvePullRequest: (
      slug: string,
      number: number,
      body: ForgeActorBody = {},
      command?: CommandOptions,
    ) => json<PullRequest>('POST', `${repo(slug)}/${number}/approve`, { body, ...command }),
    commentPullRequest: (
      slug: string,
      number: number,
      body: ForgeCommentBody,
      command?: CommandOptions,
    ) => json<PullRequest>('POST', `${repo(slug)}/${number}/comment`, { body, ...command }),
    mergePullRequest: (
      slug: string,
      number: number,
      body: ForgeMergeBody = {},
      command?: CommandOptions,
    ) => json<PullRequest>('POST', `${repo(slug)}/${number}/merge`, { body, ...command }),
    closePullRequest: (
      slug: string,
      number: number,
      body: ForgeReasonBody = {},
      command?: CommandOptions,
    ) => json<PullRequest>('POST', `${repo(slug)}/${number}/close`, { body, ...command }),
    reopenPullRequest: (
      slug: string,
      number: number,
      body: ForgeReasonBody = {},
      command?: CommandOptions,
    ) => json<PullRequest>('POST', `${repo(slug)}/${number}/reopen`, { body, ...command }),
  };
}

export type Client = ReturnType<typeof createClient>;
