import type { settingRoutes } from '../../../contract/routes/settingRoutes.ts';
import type { Handlers } from '../handler.ts';
import type Koa from 'koa';
import type { ConfigReply } from '../../../contract/schema/runner/config.ts';

/** The reply, with the version of the file that it shows as ETag. */
function setReplyEtag(
  ctx: Koa.Context,
  { etag, reply }: { etag: string; reply: ConfigReply },
): ConfigReply {
  ctx.set('ETag', etag);
  return reply;
}

export const settingHandlers = {
  config: async ({ ctx }, { config }) => setReplyEtag(ctx, await config.read()),
  configSchema: (_call, { config }) => config.schema(),
  updateConfig: async ({ body, ctx }, { config }) =>
    setReplyEtag(
      ctx,
      await config.change(body, ctx.get('If-Match') === '' ? null : ctx.get('If-Match')),
    ),
  setUp: (_call, { setUp }) => setUp.view(),
  completeSetUp: (_call, { setUp }) => setUp.complete(),
  skipSetUpStep: ({ params }, { setUp }) => setUp.skipStep(params.step),
  answerSetUpStep: ({ params, body }, { setUp }) => setUp.answer(params.step, body),
  trust: (_call, { trust }) => trust.list(),
  addTrust: ({ body }, { trust }) => trust.add(body),
  removeTrust: ({ params }, { trust }) => trust.remove(params.slug),
} satisfies Handlers<typeof settingRoutes>;
