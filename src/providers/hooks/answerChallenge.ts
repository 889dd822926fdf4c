import { SvcError } from '../../base/errors/errors.ts';
import { isJsonObject } from '../../base/json/isJsonObject.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import type { ReceivedDelivery } from '../../contract/forge/hook.ts';
import type { WebhookManifest } from '../../contract/schema/runner/plugin.ts';
import { verifyWebhook } from './signature.ts';

/** Largest body that is read as a challenge, bytes. Challenges are short; longer bodies are events. */
const MAX_CHALLENGE_BYTES = 8 * 1024;
/** What may be sent back: it is put into the reply as it came. */
const ANSWER = /^[\x21-\x7e]{1,256}$/;

/**
 * The text with which a sender's challenge is answered, by the manifest's `challenge`; null = the delivery is none.
 * It checks the signature itself: no caller can send back what is not signed. Throws SvcError `malformed` for a
 * challenge whose text may not be sent back.
 */
export function answerChallenge(
  webhook: WebhookManifest,
  delivery: ReceivedDelivery,
  secret: string,
): string | null {
  const { challenge } = webhook;
  if (challenge === undefined || delivery.rawBody.length > MAX_CHALLENGE_BYTES) return null;
  if (!verifyWebhook(webhook, delivery, secret)) return null;
  const payload = parseJsonOrNull(Buffer.from(delivery.rawBody).toString('utf8'));
  if (!isJsonObject(payload) || payload[challenge.member] !== challenge.equals) return null;
  const answer = payload[challenge.reply];
  if (typeof answer === 'string' && ANSWER.test(answer)) return answer;
  throw new SvcError(
    'malformed',
    `The delivery is a challenge, but its ${challenge.reply} is not a text of 1 to 256 printable ASCII characters without spaces.`,
  );
}
