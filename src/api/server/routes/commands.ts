import {
  CommandReply,
  EmptyBody,
  MessageBody,
  ReasonBody,
  ResumeBody,
  StopAllReply,
} from '../../../contract/schema/api/bodies.ts';
import { JobSummary } from '../../../contract/schema/job/job.ts';
import { readCaller } from '../gates/access.ts';
import { defineJsonRoute } from '../route.ts';

const refusals = [
  'not-found',
  'not-possible-now',
  'conflict',
  'chart-error',
  'stopping',
  'store-failed',
] as const;

/**
 * Commands to a job. Each replies once the command is stored, with the resulting state.
 */
export const commandRoutes = [
  defineJsonRoute({
    name: 'resume',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/resume',
    summary:
      'Resumes a parked or failed job. `approve` and `reject` answer a checkpoint; `shown` is the hash of what is approved. Without a body: `manual-resume`.',
    body: ResumeBody,
    bodyRequired: false,
    reply: CommandReply,
    refusals: [...refusals, 'shown-required', 'over-budget'],
    handle: ({ params, body, requestKey, ctx }, { runner }) =>
      runner.resume(params.jobId, body, requestKey, readCaller(ctx)),
  }),
  defineJsonRoute({
    name: 'cancel',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/cancel',
    summary: 'Cancels a job. A running session is asked to stop first.',
    body: ReasonBody,
    bodyRequired: false,
    reply: CommandReply,
    refusals,
    handle: ({ params, body, requestKey }, { runner }) =>
      runner.cancel(params.jobId, body.reason ?? null, requestKey),
  }),
  defineJsonRoute({
    name: 'pause',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/pause',
    summary: 'Pauses a job until it is resumed. A running session is interrupted.',
    body: EmptyBody,
    bodyRequired: false,
    reply: CommandReply,
    refusals,
    handle: ({ params, requestKey }, { runner }) => runner.pause(params.jobId, requestKey),
  }),
  defineJsonRoute({
    name: 'stopAll',
    access: 'write',
    method: 'POST',
    path: '/stop-all',
    summary:
      'Pauses every job that has not ended; sessions that run are interrupted. Each stays paused, also after a restart, until it is resumed.',
    body: EmptyBody,
    bodyRequired: false,
    reply: StopAllReply,
    refusals: ['stopping', 'store-failed'],
    handle: (_request, { runner }) => runner.stopAll(),
  }),
  defineJsonRoute({
    name: 'message',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/message',
    summary:
      'Sends a message to the agent. It is kept until an agent has read it; its receipt shows the progress.',
    body: MessageBody,
    reply: CommandReply,
    refusals,
    handle: ({ params, body, requestKey }, { runner }) =>
      runner.message(params.jobId, body, requestKey),
  }),
  defineJsonRoute({
    name: 'rerun',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/phases/:phase/rerun',
    summary: 'Runs a phase again.',
    body: EmptyBody,
    bodyRequired: false,
    reply: CommandReply,
    refusals,
    handle: ({ params, requestKey }, { runner }) =>
      runner.rerun(params.jobId, params.phase, requestKey),
  }),
  defineJsonRoute({
    name: 'dismiss',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/dismiss',
    summary:
      'Puts a failed or escalated job aside: it no longer needs a person, until it fails again.',
    body: EmptyBody,
    bodyRequired: false,
    reply: JobSummary,
    refusals,
    handle: ({ params, requestKey, ctx }, { runner }) =>
      runner.dismiss(params.jobId, requestKey, readCaller(ctx)),
  }),
  defineJsonRoute({
    name: 'undismiss',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/undismiss',
    summary: 'Undoes a dismissal: the job needs a person again.',
    body: EmptyBody,
    bodyRequired: false,
    reply: JobSummary,
    refusals,
    handle: ({ params, requestKey, ctx }, { runner }) =>
      runner.undismiss(params.jobId, requestKey, readCaller(ctx)),
  }),
];
