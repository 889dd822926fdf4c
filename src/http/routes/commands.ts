import {
  CommandReply,
  EmptyBody,
  MessageBody,
  ReasonBody,
  ResumeBody,
} from '../../schema/bodies.ts';
import { callerOf } from '../access.ts';
import { jsonRoute } from '../route.ts';

const refusals = [
  'not-found',
  'not-possible-now',
  'conflict',
  'chart-error',
  'stopping',
  'store-failed',
] as const;

/**
 * What people tell a job. Each answers when the command is stored, with the state that it led to.
 */
export const commandRoutes = [
  jsonRoute({
    name: 'resume',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/resume',
    summary:
      'Lets a parked or failed job continue; `approve` and `reject` answer a checkpoint, `shown` names what is approved. Without a body: `manual-resume`.',
    body: ResumeBody,
    bodyRequired: false,
    reply: CommandReply,
    refusals: [...refusals, 'shown-required'],
    handle: ({ params, body, requestKey, ctx }, { runner }) =>
      runner.resume(params.jobId, body, requestKey, callerOf(ctx)),
  }),
  jsonRoute({
    name: 'cancel',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/cancel',
    summary: 'Ends a job; a running session is asked to stop first.',
    body: ReasonBody,
    bodyRequired: false,
    reply: CommandReply,
    refusals,
    handle: ({ params, body, requestKey }, { runner }) =>
      runner.cancel(params.jobId, body.reason ?? null, requestKey),
  }),
  jsonRoute({
    name: 'pause',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/pause',
    summary: 'Parks a job until it is resumed; a running session is interrupted.',
    body: EmptyBody,
    bodyRequired: false,
    reply: CommandReply,
    refusals,
    handle: ({ params, requestKey }, { runner }) => runner.pause(params.jobId, requestKey),
  }),
  jsonRoute({
    name: 'message',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/message',
    summary:
      'Gives a message to the agent; it is kept until an agent has read it, and its receipt says how far it is.',
    body: MessageBody,
    reply: CommandReply,
    refusals,
    handle: ({ params, body, requestKey }, { runner }) =>
      runner.message(params.jobId, body, requestKey),
  }),
  jsonRoute({
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
];
