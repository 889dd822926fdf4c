import type { intelligenceRoutes } from '../../../contract/routes/intelligenceRoutes.ts';
import type { Handlers } from '../handler.ts';
import type { Context } from 'koa';

const readIfMatch = (ctx: Context): string | null =>
  ctx.get('If-Match') === '' ? null : ctx.get('If-Match');

export const intelligenceHandlers = {
  async intelligenceFile({ query, ctx }, { runner }) {
    const { etag, file } = await runner.intelligenceFile(query);
    ctx.set('ETag', etag);
    return file;
  },
  async writeIntelligenceFile({ query, body, by, ctx }, { runner }) {
    const { etag, diagnostics } = await runner.writeIntelligenceFile(
      query.path,
      body.text,
      readIfMatch(ctx),
      by,
    );
    ctx.set('ETag', etag);
    return { path: query.path, diagnostics };
  },
  removeIntelligenceFile: ({ query, by, ctx }, { runner }) =>
    runner.removeIntelligenceFile(query.path, readIfMatch(ctx), by),
} satisfies Handlers<typeof intelligenceRoutes>;
