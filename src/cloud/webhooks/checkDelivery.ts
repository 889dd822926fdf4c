import { randomBytes } from 'node:crypto';
import { SvcError } from '../../base/errors/errors.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import type { ReceivedDelivery } from '../../contract/forge/hook.ts';
import { GITHUB_SIGNATURE } from '../../providers/hooks/builtInSignatures.ts';
import { isRecentDelivery, verifyWebhook } from '../../providers/hooks/signature.ts';
import { chooseSignature, type TeamSender } from './findWebhook.ts';

type Key = TeamSender['keys'][number];

/** What an unknown webhook is checked against, so that its refusal takes as long as that of a wrong signature. */
const NO_SECRET = randomBytes(32).toString('base64');

const createNoKey = (pluginId: string): Key => ({
  secret: NO_SECRET,
  signature: chooseSignature(pluginId, null, NO_SECRET) ?? GITHUB_SIGNATURE,
});

/** The same for an unknown team, an unknown sender and a wrong signature: no one learns which teams exist. */
export const createDeliveryRefusal = (): SvcError =>
  new SvcError(
    'unauthorized',
    'The delivery was not signed with the secret of this address, or its time is not current. svc cloud webhook list shows the addresses of the team.',
    // In the same bytes, too.
    { data: { requestId: '' } },
  );

/**
 * The signature that a delivery has, by one of the secrets that count. Two are always tried, whether or not the webhook
 * exists. Throws SvcError `unauthorized`.
 */
export function checkDelivery(
  webhook: TeamSender | null,
  pluginId: string,
  delivery: ReceivedDelivery,
): { webhook: TeamSender; key: Key } {
  const keys = webhook?.keys ?? [];
  const noKey = createNoKey(pluginId);
  const attempts = [keys[0] ?? noKey, keys[1] ?? noKey].map((key) => ({
    key,
    isGenuine: verifyWebhook(key.signature, delivery, key.secret),
  }));
  const match = attempts.find(({ key, isGenuine }) => isGenuine && keys.includes(key));
  if (webhook === null || match === undefined) throw createDeliveryRefusal();
  const { key } = match;
  // Only now: what is not signed is not parsed.
  if (key.signature.timestampField !== undefined) {
    const payload = parseJsonOrNull(Buffer.from(delivery.rawBody).toString('utf8'));
    if (!isRecentDelivery(key.signature, payload, delivery.receivedAt))
      throw createDeliveryRefusal();
  }
  return { webhook, key };
}
