import type Koa from 'koa';
import {
  ConfigPatch,
  ConfigReply,
  ConfigSchemaReply,
} from '../../../contract/schema/runner/config.ts';
import { defineJsonRoute } from '../route.ts';

/** The reply, with the version of the file that it shows as ETag. */
function setReplyEtag(
  ctx: Koa.Context,
  { etag, reply }: { etag: string; reply: ConfigReply },
): ConfigReply {
  ctx.set('ETag', etag);
  return reply;
}

/** The configuration file. Secrets go in and never come out. */
export const configRoutes = [
  defineJsonRoute({
    name: 'config',
    access: 'read',
    method: 'GET',
    path: '/config',
    summary:
      'The configuration, with secrets shown as ********, and the origin of each value. ETag is the version of the file.',
    reply: ConfigReply,
    refusals: ['config-invalid'],
    handle: async ({ ctx }, { config }) => setReplyEtag(ctx, await config.read()),
  }),
  defineJsonRoute({
    name: 'configSchema',
    access: 'read',
    method: 'GET',
    path: '/config/schema',
    summary: 'What the configuration may hold, as JSON Schema, and which keys need no restart.',
    reply: ConfigSchemaReply,
    refusals: [],
    handle: (_call, { config }) => config.schema(),
  }),
  defineJsonRoute({
    name: 'updateConfig',
    access: 'write',
    method: 'PUT',
    path: '/config',
    summary:
      'Changes the configuration with a merge patch (RFC 7396). ******** keeps a secret. If-Match limits the change to that version of the file.',
    mergePatch: true,
    body: ConfigPatch,
    reply: ConfigReply,
    refusals: ['precondition-failed', 'config-invalid', 'store-failed'],
    handle: async ({ body, ctx }, { config }) =>
      setReplyEtag(
        ctx,
        await config.change(body, ctx.get('If-Match') === '' ? null : ctx.get('If-Match')),
      ),
  }),
];
