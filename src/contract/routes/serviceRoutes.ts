import { allowBody, type SomeRoutes } from './route.ts';
import Type from 'typebox';
import { GcBody, GcReply, GcSchedule } from '../schema/runner/gc.ts';
import { Health, WorkflowList } from '../schema/api/replies.ts';
import { WorkflowRuns, WorkflowRunsQuery } from '../schema/workflow/workflowRuns.ts';
import { RestartBody, RestartReply, StopBody, StopReply } from '../schema/runner/handover.ts';
import { LeaveTeamBody, LeaveTeamReply } from '../schema/runner/leaveTeam.ts';
import { BackupBody } from '../schema/runner/backup.ts';

export const serviceRoutes = {
  health: {
    access: 'basic',
    team: 'viewer',
    summary: 'Whether the runner is up, and how many jobs it holds.',
    reply: Health,
    refusals: [],
  },
  metrics: {
    access: 'scrape',
    team: null,
    summary:
      'Metrics for Prometheus. Also takes the token of metrics.token in the home, which opens nothing else.',
    refusals: [],
  },
  workflows: {
    access: 'read',
    team: 'viewer',
    summary: 'The workflows that a job can use.',
    reply: WorkflowList,
    refusals: [],
  },
  workflowRuns: {
    access: 'read',
    team: 'viewer',
    summary:
      'How often each transition between the phases of a workflow was taken by its newest runs, and how often by runs that failed.',
    query: WorkflowRunsQuery,
    reply: WorkflowRuns,
    refusals: [],
  },
  gc: {
    access: 'write',
    team: null,
    summary:
      'Deletes leftover files of finished jobs, following the retention settings. Uncommitted or unpushed work is first saved as refs/svc/kept/….',
    body: allowBody(GcBody),
    reply: GcReply,
    refusals: ['not-possible-now'],
  },
  gcSchedule: {
    access: 'read',
    team: null,
    summary: 'When the runner clears away by itself, and what its last 50 runs have done.',
    reply: GcSchedule,
    refusals: [],
  },
  stopRunner: {
    access: 'write',
    team: null,
    summary:
      'Stops the runner cleanly: sessions are interrupted, every job is kept. The reply is sent before the stop begins.',
    status: 202,
    body: allowBody(StopBody),
    reply: StopReply,
    refusals: ['not-possible-now'],
  },
  restartRunner: {
    access: 'write',
    team: null,
    summary:
      'Lets another program of svc take over home and port while jobs run. Replies once it is loaded and starts; if it is not healthy in time, the previous one continues.',
    status: 202,
    body: allowBody(RestartBody),
    reply: RestartReply,
    refusals: ['not-possible-now', 'conflict'],
  },
  leaveTeam: {
    access: 'write',
    team: null,
    summary:
      'Makes the home local: the control plane gets the last changes and deletes its log. Replies after 5 s at the latest; with left = false it continues, and the request can be sent again. Changes nothing for a runner without a team.',
    body: allowBody(LeaveTeamBody),
    reply: LeaveTeamReply,
    refusals: ['home-claimed'],
  },
  openapi: {
    access: 'read',
    team: null,
    summary: 'This document: every route with its schemas, as OpenAPI 3.1.',
    reply: Type.Record(Type.String(), Type.Unknown()),
    refusals: [],
  },
  backup: {
    access: 'write',
    team: null,
    summary:
      "A backup of the home as a tar, made while the runner works; only with the runner's token, since it holds the secrets of the home. If the download was cut off, the last entry is missing and svc restore refuses the file.",
    mime: 'application/x-tar',
    body: allowBody(BackupBody),
    refusals: ['forbidden', 'not-possible-now', 'store-failed'],
  },
} satisfies SomeRoutes;
