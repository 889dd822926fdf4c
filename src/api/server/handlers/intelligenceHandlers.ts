import type { intelligenceRoutes } from '../../routes/intelligenceRoutes.ts';
import type { Handlers } from '../handler.ts';
import type { Context } from 'koa';

const readIfMatch = (ctx: Context): string | null =>
  ctx.get('If-Match') === '' ? null : ctx.get('If-Match');

export const intelligenceHandlers = {
  lintWorkflow: ({ body }, { runner }) => runner.lintText(body),
  simulateWorkflow: ({ body }, { runner }) => runner.simulateText(body),
  intelligenceLayers: ({ query }, { runner }) => runner.intelligenceLayers(query),
  async intelligenceFile({ query, ctx }, { runner }) {
    const { etag, file } = await runner.intelligenceFile(query);
    ctx.set('ETag', etag);
    return file;
  },
  mergedFile: ({ query }, { runner }) => runner.mergedFile(query),
  preflight: ({ body }, { runner }) => runner.preflight(body),
  intelligenceHistory: ({ query }, { runner }) => runner.intelligenceHistory(query.path),
  intelligenceVersion: ({ query }, { runner }) => runner.intelligenceVersion(query),
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
