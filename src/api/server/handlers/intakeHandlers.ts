import type { intakeRoutes } from '../../../contract/routes/intakeRoutes.ts';
import type { Handlers, RouteEnv } from '../handler.ts';
import type Koa from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import { IntakeStream } from '../streams/intakeStream.ts';
import { openStream } from '../streams/openStream.ts';

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

export const intakeHandlers = {
  async intakeStream({ ctx, body }, env) {
    env.streams.admit();
    const { turn } = await env.intake.ask(body);
    sendChatFrames(ctx, env, body.sessionId, { after: null, turn });
  },
  watchInvestigation({ ctx, params, query: { turn = null } }, env) {
    const from = { after: readLastFrameId(ctx), turn };
    env.intake.requireSession(params.sessionId);
    if (ctx.method !== 'HEAD') env.streams.admit();
    sendChatFrames(ctx, env, params.sessionId, from);
  },
  investigations: ({ query }, { intake }) => intake.investigations(query),
  investigation: ({ params }, { intake }) => intake.investigation(params.sessionId),
  saveInvestigation: ({ params, body }, { intake }) =>
    intake.saveInvestigation(params.sessionId, body),
  removeInvestigation: ({ params }, { intake }) => intake.removeInvestigation(params.sessionId),
  stopInvestigation: ({ params }, { intake }) => intake.stop(params.sessionId),
  checkCitations: async ({ params, body }, { intake }) => ({
    citations: await intake.citations(params.sessionId, body.refs),
  }),
  pinnedLines: ({ params, query }, { intake }) => intake.fileLines(params.sessionId, query),
  pinNewest: ({ params }, { intake }) => intake.pinNewest(params.sessionId),
  evidenceText: ({ params }, { intake }) =>
    intake.evidenceText(params.sessionId, params.evidenceId),
} satisfies Handlers<typeof intakeRoutes>;
