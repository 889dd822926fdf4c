import type { Context } from 'koa';
import {
  FileQuery,
  IntelligenceFile,
  LayerList,
  LayersQuery,
  LintBody,
  LintReply,
  TenantFileQuery,
  WriteFileBody,
  WrittenFile,
} from '../../schema/intelligence.ts';
import { jsonRoute } from '../route.ts';

const ifMatchOf = (ctx: Context): string | null =>
  ctx.get('If-Match') === '' ? null : ctx.get('If-Match');

/** Workflows and agents as their authors see them: findings, layers, files. */
export const intelligenceRoutes = [
  jsonRoute({
    name: 'lintWorkflow',
    access: 'compute',
    method: 'POST',
    path: '/workflows/lint',
    summary:
      'What the linter says of a text as if it stood at this path, and the chart of it. Nothing is written.',
    body: LintBody,
    reply: LintReply,
    refusals: ['bad-argument'],
    handle: ({ body }, { runner }) => runner.lintText(body),
  }),
  jsonRoute({
    name: 'intelligenceLayers',
    access: 'read',
    method: 'GET',
    path: '/intelligence/layers',
    summary:
      'The layers that agents get their instructions from (base, tenant, with ?repo= that of a repository), and their files.',
    query: LayersQuery,
    reply: LayerList,
    refusals: [],
    handle: ({ query }, { runner }) => runner.intelligenceLayers(query),
  }),
  jsonRoute({
    name: 'intelligenceFile',
    access: 'read',
    method: 'GET',
    path: '/intelligence/file',
    summary: 'One file of a layer, by default of the one whose file counts; ETag is its version.',
    query: FileQuery,
    reply: IntelligenceFile,
    refusals: ['bad-argument', 'not-found'],
    async handle({ query, ctx }, { runner }) {
      const { etag, file } = await runner.intelligenceFile(query);
      ctx.set('ETag', etag);
      return file;
    },
  }),
  jsonRoute({
    name: 'writeIntelligenceFile',
    access: 'write',
    method: 'PUT',
    path: '/intelligence/file',
    summary:
      'Writes a markdown file of the tenant layer, in place of the version in If-Match. One with errors is refused.',
    query: TenantFileQuery,
    body: WriteFileBody,
    reply: WrittenFile,
    refusals: [
      ...([
        'bad-argument',
        'forbidden',
        'not-possible-now',
        'precondition-required',
        'precondition-failed',
      ] as const),
      ...(['workflow-invalid', 'store-failed'] as const),
    ],
    async handle({ query, body, ctx }, { runner }) {
      const { etag, diagnostics } = await runner.writeIntelligenceFile(
        query.path,
        body.text,
        ifMatchOf(ctx),
      );
      ctx.set('ETag', etag);
      return { path: query.path, diagnostics };
    },
  }),
  jsonRoute({
    name: 'removeIntelligenceFile',
    access: 'write',
    method: 'DELETE',
    path: '/intelligence/file',
    summary: 'Takes the version in If-Match of a markdown file out of the tenant layer.',
    query: TenantFileQuery,
    reply: null,
    refusals: [
      ...([
        'bad-argument',
        'forbidden',
        'not-found',
        'not-possible-now',
        'precondition-required',
        'precondition-failed',
      ] as const),
    ],
    async handle({ query, ctx }, { runner }) {
      await runner.removeIntelligenceFile(query.path, ifMatchOf(ctx));
      return undefined;
    },
  }),
];
