import type { Context } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';
import { PlainText } from '../../api/server/replies/plainText.ts';
import { chooseDeliveryStatus } from '../../base/http/chooseDeliveryStatus.ts';
import { readSentHeaders } from '../../base/http/readSentHeaders.ts';
import { MAX_DELIVERY_BYTES } from '../../contract/routes/route.ts';
import type { WebhookReply } from '../../contract/schema/forge/forge.ts';
import { answerChallenge } from '../../providers/hooks/answerChallenge.ts';
import { readUpload } from '../server/readUpload.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import type { RateLimits } from '../server/rateLimits.ts';
import type { Sealer } from '../server/sealer.ts';
import { checkDelivery, createDeliveryRefusal } from './checkDelivery.ts';
import { noteChallenge, storeDelivery } from './storeDelivery.ts';
import { findWebhook } from './findWebhook.ts';

export interface IngressParts {
  context: CloudContext;
  /** null = this node has no key: it takes no webhooks. */
  sealer: Sealer | null;
  rates: RateLimits;
  /** A delivery of the team was stored. */
  onStored(teamId: string): void;
}

/**
 * Takes a delivery of a sender: the answer is sent once it is committed for every runner of the team. A challenge is
 * answered with its text, each time that it comes, and no runner hears of it. Throws SvcError
 * `unauthorized`, `too-large`, `unsupported-type`, `malformed` and `rate-limited`.
 */
export async function receiveWebhook(
  { context, sealer, rates, onStored }: IngressParts,
  { teamId, pluginId }: { teamId: string; pluginId: string },
  ctx: Context,
): Promise<WebhookReply | PlainText> {
  // The signature is of the bytes as they came, and a small body must not become a large one.
  if (!['', 'identity'].includes(ctx.get('Content-Encoding')))
    throw new SvcError('unsupported-type', 'Send webhooks without a Content-Encoding.');
  const rawBody = await readUpload(ctx, MAX_DELIVERY_BYTES);
  const receivedAt = context.clock.now();
  const delivery = { headers: readSentHeaders(ctx.req), rawBody, receivedAt };
  if (sealer === null) throw createDeliveryRefusal();
  const webhookKey = { teamId, pluginId, now: new Date(receivedAt) };
  const teamWebhook = await findWebhook(context.database.sql, sealer, webhookKey);
  const { webhook, key } = checkDelivery(teamWebhook, pluginId, delivery);
  rates.take(webhook.teamId);
  const challenge = answerChallenge(key.signature, delivery, key.secret);
  if (challenge !== null) {
    await noteChallenge(context, webhook);
    return new PlainText(challenge);
  }
  const isNew = await storeDelivery(context, sealer, webhook, key.signature, delivery);
  if (isNew) onStored(webhook.teamId);
  ctx.status = chooseDeliveryStatus(pluginId);
  return { accepted: true, duplicate: !isNew };
}
