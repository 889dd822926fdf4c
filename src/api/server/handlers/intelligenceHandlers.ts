import { SvcError } from '../../../base/errors/errors.ts';
import type { Caller } from '../../../contract/schema/runner/caller.ts';
import type { intelligenceRoutes } from '../../../contract/routes/intelligenceRoutes.ts';
import type { Handlers } from '../handler.ts';
import type { Context } from 'koa';

const readIfMatch = (ctx: Context): string | null =>
  ctx.get('If-Match') === '' ? null : ctx.get('If-Match');

/** Findings quote the layer of a repository, which is on this machine and not the team's. */
function refuseRepositoryToMembers(by: Caller, { repo }: { repo?: string }): void {
  if (by === 'member' && repo !== undefined)
    throw new SvcError(
      'forbidden',
      'The repositories of a runner are not open to its team. Leave repo out.',
    );
}

export const intelligenceHandlers = {
  lintWorkflow({ body, by }, { runner }) {
    refuseRepositoryToMembers(by, body);
    return runner.lintWorkflow(body);
  },
  simulateWorkflow({ body, by }, { runner }) {
    refuseRepositoryToMembers(by, body);
    return runner.simulateWorkflow(body);
  },
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
