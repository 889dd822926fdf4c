import { requireBody } from '../../contract/routes/route.ts';
import {
  Dispatch,
  DispatchBody,
  DispatchedJob,
  DispatchesQuery,
  DispatchList,
  GivenUpDispatch,
} from '../../contract/schema/cloud/dispatch.ts';
import { Surface } from '../../contract/schema/cloud/surface.ts';
import { JobCounts } from '../../contract/schema/api/replies.ts';
import {
  TeamInboxQuery,
  TeamJobCountsQuery,
  TeamJobList,
  TeamJobsQuery,
} from '../../contract/schema/cloud/teamJob.ts';
import Type from 'typebox';
import type { SomeCloudRoutes } from './cloudRoute.ts';

/** The jobs of a team: their list, and how new ones reach a runner. */
export const jobRoutes = {
  createTeamJob: {
    who: 'member',
    summary:
      'Sends a job to a runner of the team. 201 with the job as soon as a runner has made it; 202 with the dispatch, and why it waits, after 10 s.',
    target: ['workflowPath', 'runner', 'labels'],
    body: requireBody(DispatchBody),
    status: 201,
    reply: Type.Union([DispatchedJob, Dispatch]),
    refusals: ['invalid', 'rate-limited', 'cannot-run', 'workflow-invalid', 'not-found'],
  },
  teamJobs: {
    who: 'viewer',
    summary:
      'Jobs of all runners, newest first. With runner those of one runner, which may be sorted too, and filtered in every way of its own list; without it by status, is, needs, type, repo, workflow, subRuns, parentJobId, campaignParentId and q.',
    query: TeamJobsQuery,
    reply: TeamJobList,
    refusals: ['bad-argument', 'not-found', 'runner-away', 'runner-timeout'],
  },
  teamJobCounts: {
    who: 'viewer',
    summary:
      'How many jobs of all runners match, in which states they are, and how many need a person; with runner those of one. The filters are those of the list; sum needs runner.',
    query: TeamJobCountsQuery,
    reply: JobCounts,
    refusals: ['bad-argument', 'not-found', 'runner-away', 'runner-timeout'],
  },
  teamJobsStream: {
    who: 'viewer',
    summary:
      'Server-sent events `job`: each job of the team that changes, as the list shows it. Last-Event-ID resumes it without a gap.',
    refusals: ['bad-argument'],
  },
  teamInbox: {
    who: 'viewer',
    summary: 'Jobs of the team that need a person, the longest wait first.',
    query: TeamInboxQuery,
    reply: TeamJobList,
    refusals: [],
  },
  dispatches: {
    who: 'viewer',
    summary: 'Jobs on their way to a runner, newest first, with why each one waits.',
    query: DispatchesQuery,
    reply: DispatchList,
    refusals: [],
  },
  dispatch: {
    who: 'viewer',
    summary: 'One dispatch.',
    reply: Dispatch,
    refusals: [],
  },
  cancelDispatch: {
    who: 'member',
    summary: 'Cancels a dispatch that waits for a runner: your own, or as an admin any.',
    reply: Dispatch,
    refusals: ['forbidden', 'not-possible-now'],
  },
  giveUpDispatch: {
    who: 'admin',
    summary:
      'Gives up a dispatch that was sent to a runner and not answered. The job may exist there.',
    reply: GivenUpDispatch,
    refusals: ['not-possible-now'],
  },
  surface: {
    who: 'viewer',
    summary: "What of a runner's API the team has, and what the caller may use of it.",
    reply: Surface,
    refusals: [],
  },
} satisfies SomeCloudRoutes;
