import type { IncomingMessage } from 'node:http';
import Type from 'typebox';
import { SvcError } from '../../../shared/errors/errors.ts';
import { discardBody, readBody } from '../../../shared/system/network/requestBody.ts';
import { WebhookReply } from '../../../contract/schema/forge/forge.ts';
import { TriggerList } from '../../../contract/schema/forge/trigger.ts';
import { defineJsonRoute } from '../route.ts';

/** Largest delivery that is taken, bytes. */
export const MAX_DELIVERY_BYTES = 5 * 1024 * 1024;

/** The bytes as they came: a signature is of them and of nothing else. */
async function readDeliveryBytes(req: IncomingMessage): Promise<Uint8Array> {
  const bytes = await readBody(req, MAX_DELIVERY_BYTES);
  if (bytes !== null) return bytes;
  await discardBody(req);
  throw new SvcError('too-large', `A delivery may have at most ${MAX_DELIVERY_BYTES} bytes.`);
}

export const webhookRoutes = [
  defineJsonRoute({
    name: 'triggers',
    access: 'read',
    method: 'GET',
    path: '/triggers',
    summary:
      'Rules by which webhooks create jobs: how many each has created in the last hour, and why it last created none.',
    reply: TriggerList,
    refusals: [],
    handle: (_call, { runner }) => runner.triggers(),
  }),
  defineJsonRoute({
    name: 'webhook',
    access: 'own',
    method: 'POST',
    path: '/webhooks/:pluginId',
    summary:
      "Receives a delivery from a forge or tracker, signed with the plugin's secret; needs no token. Off until a secret is configured.",
    // Any bytes: the signature decides, and the bytes are read by the handler.
    body: Type.Unknown({ description: 'The delivery, as the forge sends it.' }),
    bodyRequired: false,
    status: 202,
    reply: WebhookReply,
    refusals: [
      'not-found',
      'unauthorized',
      'malformed',
      'too-large',
      'unreachable',
      'stopping',
      'store-failed',
    ],
    handle: async ({ params, ctx }, { runner }) =>
      runner.webhook(params.pluginId, {
        headers: ctx.req.headers,
        rawBody: await readDeliveryBytes(ctx.req),
      }),
  }),
];
