import type { Context } from 'koa';
import {
  FileHistory,
  FileQuery,
  FileVersionText,
  HistoryQuery,
  IntelligenceFile,
  LayerList,
  LayersQuery,
  LintBody,
  LintReply,
  MergedFile,
  MergedQuery,
  PreflightBody,
  TenantFileQuery,
  VersionQuery,
  WriteFileBody,
  WrittenFile,
} from '../../../contract/schema/workflow/intelligence.ts';
import { SimulateBody, SimulationReply } from '../../../contract/schema/workflow/simulation.ts';
import { PreflightReply } from '../../../contract/schema/workflow/proposal.ts';
import { readCaller } from '../gates/access.ts';
import { defineJsonRoute } from '../route.ts';

const readIfMatch = (ctx: Context): string | null =>
  ctx.get('If-Match') === '' ? null : ctx.get('If-Match');

/** Workflows and agents as their authors see them: findings, layers, files. */
export const intelligenceRoutes = [
  defineJsonRoute({
    name: 'lintWorkflow',
    access: 'compute',
    method: 'POST',
    path: '/workflows/lint',
    summary:
      'Lints a text as the file at this path and returns the findings and its chart. Nothing is written.',
    body: LintBody,
    reply: LintReply,
    refusals: ['bad-argument'],
    handle: ({ body }, { runner }) => runner.lintText(body),
  }),
  defineJsonRoute({
    name: 'simulateWorkflow',
    access: 'compute',
    method: 'POST',
    path: '/workflows/simulate',
    summary:
      'Plays a job of a workflow with a simulated clock and without agents, as a script says. Nothing is written.',
    body: SimulateBody,
    reply: SimulationReply,
    refusals: ['bad-argument', 'workflow-invalid'],
    handle: ({ body }, { runner }) => runner.simulateText(body),
  }),
  defineJsonRoute({
    name: 'intelligenceLayers',
    access: 'read',
    method: 'GET',
    path: '/intelligence/layers',
    summary:
      "The layers that agents get their instructions from (base, tenant, and with ?repo= a repository's), with their files.",
    query: LayersQuery,
    reply: LayerList,
    refusals: [],
    handle: ({ query }, { runner }) => runner.intelligenceLayers(query),
  }),
  defineJsonRoute({
    name: 'intelligenceFile',
    access: 'read',
    method: 'GET',
    path: '/intelligence/file',
    summary:
      'One file of a layer; by default, of the layer whose file is in effect. ETag is its version.',
    query: FileQuery,
    reply: IntelligenceFile,
    refusals: ['bad-argument', 'not-found'],
    async handle({ query, ctx }, { runner }) {
      const { etag, file } = await runner.intelligenceFile(query);
      ctx.set('ETag', etag);
      return file;
    },
  }),
  defineJsonRoute({
    name: 'mergedFile',
    access: 'read',
    method: 'GET',
    path: '/intelligence/merged',
    summary: 'One file as agents see it, with the layer that each line comes from.',
    query: MergedQuery,
    reply: MergedFile,
    refusals: ['bad-argument', 'not-found'],
    handle: ({ query }, { runner }) => runner.mergedFile(query),
  }),
  defineJsonRoute({
    name: 'preflight',
    access: 'compute',
    method: 'POST',
    path: '/intelligence/preflight',
    summary:
      'What files of any kind would come to if they were written together: what each is, findings, what changes by meaning, what to beware of. Nothing is written.',
    body: PreflightBody,
    reply: PreflightReply,
    refusals: ['bad-argument'],
    handle: ({ body }, { runner }) => runner.preflight(body),
  }),
  defineJsonRoute({
    name: 'intelligenceHistory',
    access: 'read',
    method: 'GET',
    path: '/intelligence/history',
    summary: 'The kept versions of a file of the tenant layer, newest first, and who made each.',
    query: HistoryQuery,
    reply: FileHistory,
    refusals: [],
    handle: ({ query }, { runner }) => runner.intelligenceHistory(query.path),
  }),
  defineJsonRoute({
    name: 'intelligenceVersion',
    access: 'read',
    method: 'GET',
    path: '/intelligence/version',
    summary: 'The text of a kept version of a file; writing it again restores it.',
    query: VersionQuery,
    reply: FileVersionText,
    refusals: ['not-found'],
    handle: ({ query }, { runner }) => runner.intelligenceVersion(query),
  }),
  defineJsonRoute({
    name: 'writeIntelligenceFile',
    access: 'write',
    method: 'PUT',
    path: '/intelligence/file',
    summary:
      'Writes a markdown file of the tenant layer, replacing the version in If-Match. A file with errors is refused.',
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
        readIfMatch(ctx),
        readCaller(ctx),
      );
      ctx.set('ETag', etag);
      return { path: query.path, diagnostics };
    },
  }),
  defineJsonRoute({
    name: 'removeIntelligenceFile',
    access: 'write',
    method: 'DELETE',
    path: '/intelligence/file',
    summary:
      'Removes a markdown file from the tenant layer, if it still has the version in If-Match.',
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
      await runner.removeIntelligenceFile(query.path, readIfMatch(ctx), readCaller(ctx));
      return undefined;
    },
  }),
];
