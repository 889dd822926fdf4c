import { requireBody, type SomeRoutes } from './route.ts';
import { StreamQuery, JobCountsQuery, JobsQuery, MessagesQuery } from '../schema/api/queries.ts';
import { CreatedJob, CreateJobBody } from '../schema/api/bodies.ts';
import { Estimate } from '../schema/policy/estimate.ts';
import { Job } from '../schema/job/job.ts';
import { JobCounts, JobList, InsightList } from '../schema/api/replies.ts';
import { InsightsQuery, ListedInsights, PromoteInsightBody } from '../schema/workflow/insight.ts';
import { MessageList } from '../schema/session/message.ts';
import { ProposalSummary } from '../schema/workflow/proposal.ts';
import { LogMatches, LogPage, LogQuery, LogSearchQuery } from '../schema/job/jobLog.ts';
import { SinceSuccess } from '../schema/job/sinceSuccess.ts';
import { JobTimeline } from '../schema/job/timeline.ts';

export const jobRoutes = {
  // Changes as they come. Before the routes of one job: no job has the id `stream`.
  // Before the routes of one job in the table: no job has this id.
  jobsStream: {
    access: 'read',
    team: 'viewer',
    summary:
      'Server-sent events `job`: the summary of each job that changes. Open it first, then read GET /jobs: nothing is missed.',
    refusals: ['busy'],
  },
  stream: {
    access: 'read',
    team: 'viewer',
    summary:
      'Server-sent events log, state, usage, artefact, gap and bye. Last-Event-ID resumes the stream without a gap.',
    query: StreamQuery,
    refusals: ['not-found', 'bad-argument', 'busy'],
  },
  createJob: {
    access: 'write',
    team: 'member',
    summary: 'Creates a job and queues it.',
    body: requireBody(CreateJobBody),
    status: 201,
    reply: CreatedJob,
    refusals: [
      'not-found',
      'conflict',
      'workflow-invalid',
      'cannot-run',
      'over-budget',
      'guardrail',
      'stopping',
      'store-failed',
    ],
  },
  estimateJob: {
    // It may ask a forge and a tracker, as the making does.
    access: 'write',
    team: 'member',
    summary:
      'What a job of this request may use: at worst, most likely, and what will stop it. Nothing is created.',
    body: requireBody(CreateJobBody),
    reply: Estimate,
    refusals: ['not-found', 'workflow-invalid', 'cannot-run'],
  },
  jobs: {
    access: 'read',
    team: 'viewer',
    summary:
      'Jobs, newest first unless sorted otherwise. X-Total-Count is their number; Link names the previous and next page.',
    query: JobsQuery,
    reply: JobList,
    refusals: [],
  },
  jobCounts: {
    access: 'read',
    team: 'viewer',
    summary: 'How many jobs match, in which states they are, and how many need a person.',
    query: JobCountsQuery,
    reply: JobCounts,
    refusals: [],
  },
  job: {
    access: 'read',
    team: 'viewer',
    summary: 'One job with all its details.',
    reply: Job,
    refusals: ['not-found'],
  },
  artefact: {
    access: 'read',
    team: 'viewer',
    summary: 'Downloads an artefact, with its media type.',
    mime: '*/*',
    refusals: ['not-found'],
  },
  insights: {
    access: 'read',
    team: 'viewer',
    summary: 'What the agents of the job have learned.',
    reply: InsightList,
    refusals: ['not-found'],
  },
  messages: {
    access: 'read',
    team: 'viewer',
    summary:
      "The developers' messages, each with its receipt: queued, offered, delivered, acknowledged, superseded or expired. The first page has the newest ones, oldest first.",
    query: MessagesQuery,
    reply: MessageList,
    refusals: ['not-found'],
  },
  removeInsight: {
    access: 'write',
    team: 'member',
    summary: 'Removes an insight.',
    refusals: ['not-found', 'stopping', 'store-failed'],
  },
  searchInsights: {
    access: 'read',
    team: 'viewer',
    summary:
      'What the agents of all jobs have learned, newest first. X-Total-Count is their number; Link names the previous and next page.',
    query: InsightsQuery,
    reply: ListedInsights,
    refusals: [],
  },
  promoteInsight: {
    access: 'write',
    team: null,
    summary:
      "Proposes to add an insight to the team's memory. The reply is a proposal, which a person approves and applies.",
    body: requireBody(PromoteInsightBody),
    reply: ProposalSummary,
    refusals: [
      ...(['bad-argument', 'unauthorized', 'not-found', 'not-possible-now'] as const),
      ...(['too-large', 'stopping', 'store-failed'] as const),
    ],
  },
  log: {
    access: 'read',
    team: 'viewer',
    summary:
      'Neighbouring lines of the log with their numbers: from a line on, those before a line, or the newest.',
    query: LogQuery,
    reply: LogPage,
    refusals: ['not-found', 'bad-argument'],
  },
  searchLog: {
    access: 'read',
    team: 'viewer',
    summary: 'Numbers of the lines of the log that have a text or report an error, oldest first.',
    query: LogSearchQuery,
    reply: LogMatches,
    refusals: ['not-found', 'bad-argument'],
  },
  logText: {
    access: 'read',
    team: 'viewer',
    summary:
      'Downloads the log as plain text: one line each with its time, phase and author. Colours are left out, control characters are escaped.',
    refusals: ['not-found'],
  },
  timeline: {
    access: 'read',
    team: 'viewer',
    summary:
      'Where the time of a job went: its phases with their work and waits, sessions with their tokens, restarts of the runner, and what runs now.',
    reply: JobTimeline,
    refusals: ['not-found'],
  },
  sinceSuccess: {
    access: 'read',
    team: 'viewer',
    summary:
      'What changed since the last phase of a job that ended without a failure: files, messages, and what its agents were instructed with.',
    reply: SinceSuccess,
    refusals: ['not-found'],
  },
} satisfies SomeRoutes;
