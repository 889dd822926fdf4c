import type Koa from 'koa';
import Type from 'typebox';
import { InvestigationBody } from '../../../contract/schema/planning/investigationBody.ts';
import {
  IntakeBody,
  Investigation,
  InvestigationList,
  InvestigationsQuery,
} from '../../../contract/schema/planning/intake.ts';
import {
  CitationsBody,
  CitationsReply,
  EvidenceText,
  IntakeStreamQuery,
  PinnedLines,
  PinnedLinesQuery,
  StoppedTurn,
} from '../../../contract/schema/planning/intakeReplies.ts';
import { EmptyBody } from '../../../contract/schema/api/bodies.ts';
import { SvcError } from '../../../shared/errors/errors.ts';
import { IntakeStream } from '../streams/intakeStream.ts';
import { defineJsonRoute, type RouteEnv, defineRawRoute } from '../route.ts';
import { openStream } from './stream.ts';

const SESSION = '/intake/sessions/:sessionId';
const writes = ['not-found', 'too-large', 'conflict', 'stopping', 'store-failed'] as const;
/** What a code host may answer to a read. */
const reads = [
  'not-found',
  'forbidden',
  'not-possible-now',
  'rate-limited',
  'unreachable',
] as const;

function readLastFrameId(ctx: Koa.Context): string | null {
  const id = ctx.get('Last-Event-ID');
  if (id === '') return null;
  if (/^\d{1,9}\.\d{1,9}$/.test(id)) return id;
  throw new SvcError(
    'bad-argument',
    'Last-Event-ID must be the id of a frame of this conversation, such as 3.17.',
  );
}

function sendChatFrames(
  ctx: Koa.Context,
  { intake, clock, streams }: RouteEnv,
  sessionId: string,
  from: { after: string | null; turn: number | null },
): void {
  openStream(ctx);
  if (ctx.method === 'HEAD') return;
  ctx.respond = false;
  new IntakeStream({ intake, clock, streams, sessionId, from, res: ctx.res }).start();
}

/** Plan-mode chats: investigations that read and change nothing. */
export const intakeRoutes = [
  defineRawRoute({
    name: 'intakeStream',
    access: 'write',
    method: 'POST',
    path: '/intake/stream',
    summary:
      'Says something in a plan-mode chat and streams the answer as server-sent events: token, thinking, tool_start, tool_end, done, error. The turn continues if the client leaves. 503 with reason no-llm where no executor can hold a chat; 409 with reason turn-running while a turn runs, unless queue is true.',
    body: IntakeBody,
    mime: 'text/event-stream',
    refusals: ['no-llm', 'conflict', 'cannot-run', 'busy', 'stopping', 'store-failed'],
    async handle({ ctx, body }, env) {
      env.streams.admit();
      const { turn } = await env.intake.ask(body);
      sendChatFrames(ctx, env, body.sessionId, { after: null, turn });
    },
  }),
  defineRawRoute({
    name: 'watchInvestigation',
    access: 'read',
    method: 'GET',
    path: `${SESSION}/stream`,
    summary:
      'Server-sent events of the turn that runs. Last-Event-ID resumes them without a gap; gap: they are no longer kept, read the session again; idle: nothing runs.',
    query: IntakeStreamQuery,
    mime: 'text/event-stream',
    refusals: ['not-found', 'bad-argument', 'busy'],
    handle({ ctx, params, query: { turn = null } }, env) {
      const from = { after: readLastFrameId(ctx), turn };
      env.intake.mustExist(params.sessionId);
      if (ctx.method !== 'HEAD') env.streams.admit();
      sendChatFrames(ctx, env, params.sessionId, from);
    },
  }),
  defineJsonRoute({
    name: 'investigations',
    access: 'read',
    method: 'GET',
    path: '/intake/sessions',
    summary: 'Plan-mode chats, the ones that were used last first.',
    query: InvestigationsQuery,
    reply: InvestigationList,
    refusals: [],
    handle: ({ query }, { intake }) => intake.investigations(query),
  }),
  defineJsonRoute({
    name: 'investigation',
    access: 'read',
    method: 'GET',
    path: SESSION,
    summary: 'One plan-mode chat: turns, look-ups, findings, readiness, citations, transcript.',
    reply: Investigation,
    refusals: ['not-found'],
    handle: ({ params }, { intake }) => intake.investigation(params.sessionId),
  }),
  defineJsonRoute({
    name: 'saveInvestigation',
    access: 'write',
    method: 'PUT',
    path: SESSION,
    summary:
      'Stores what the dashboard keeps of a chat; what is left out stays. null where the chat is empty: it is not stored. 409 with reason findings-changed where findings.replaces is not the current text.',
    body: InvestigationBody,
    reply: Type.Union([Investigation, Type.Null()]),
    refusals: writes,
    handle: ({ params, body }, { intake }) => intake.saveInvestigation(params.sessionId, body),
  }),
  defineJsonRoute({
    name: 'removeInvestigation',
    access: 'write',
    method: 'DELETE',
    path: SESSION,
    summary: 'Removes a chat from memory and from the store; a turn that runs is stopped.',
    reply: null,
    refusals: writes,
    handle: ({ params }, { intake }) => intake.removeInvestigation(params.sessionId),
  }),
  defineJsonRoute({
    name: 'stopInvestigation',
    access: 'write',
    method: 'POST',
    path: `${SESSION}/stop`,
    summary: 'Stops the turn that runs; the answer so far is kept.',
    body: EmptyBody,
    bodyRequired: false,
    reply: StoppedTurn,
    refusals: ['not-found'],
    handle: ({ params }, { intake }) => intake.stop(params.sessionId),
  }),
  defineJsonRoute({
    name: 'checkCitations',
    access: 'write',
    method: 'POST',
    path: `${SESSION}/citations`,
    summary: 'Checks cited places against the pinned commit.',
    body: CitationsBody,
    bodyRequired: false,
    reply: CitationsReply,
    refusals: reads,
    handle: async ({ params, body }, { intake }) => ({
      citations: await intake.citations(params.sessionId, body.refs),
    }),
  }),
  defineJsonRoute({
    name: 'pinnedLines',
    access: 'write',
    method: 'GET',
    path: `${SESSION}/file`,
    summary: 'Lines of a file at the pinned commit.',
    query: PinnedLinesQuery,
    reply: PinnedLines,
    refusals: reads,
    handle: ({ params, query }, { intake }) => intake.fileLines(params.sessionId, query),
  }),
  defineJsonRoute({
    name: 'pinNewest',
    access: 'write',
    method: 'POST',
    path: `${SESSION}/pin`,
    summary: 'Pins the newest commit of the branch and checks the citations again.',
    body: EmptyBody,
    bodyRequired: false,
    reply: Investigation,
    refusals: reads,
    handle: ({ params }, { intake }) => intake.pinNewest(params.sessionId),
  }),
  defineJsonRoute({
    name: 'evidenceText',
    access: 'read',
    method: 'GET',
    path: `${SESSION}/evidence/:evidenceId`,
    summary: 'What one look-up found.',
    reply: EvidenceText,
    refusals: ['not-found'],
    handle: ({ params }, { intake }) => intake.evidenceText(params.sessionId, params.evidenceId),
  }),
];
