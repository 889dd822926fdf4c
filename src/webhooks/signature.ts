import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookManifest } from '../schema/plugin.ts';

const DIGEST_BYTES = { sha256: 32, sha512: 64 } as const;

/** The signature's bytes, or null for one that is not written as the format says: no other way to write them is taken. */
function bytesOf({ algorithm, format }: WebhookManifest, text: string): Buffer | null {
  const prefix = `${algorithm}=`;
  if (format === 'prefixed-hex' && !text.startsWith(prefix)) return null;
  const body = format === 'prefixed-hex' ? text.slice(prefix.length) : text;
  if (format === 'base64') {
    const bytes = Buffer.from(body, 'base64');
    return bytes.toString('base64') === body ? bytes : null;
  }
  return /^(?:[0-9a-f]{2})+$/i.test(body) ? Buffer.from(body, 'hex') : null;
}

/**
 * Whether a delivery was signed with the secret: HMAC over the body's bytes as they came. Compared in constant time.
 * False for a missing or repeated header, and for an empty secret, whose HMAC everybody can make. Repeats of a genuine
 * delivery pass: whoever calls keeps the ids that were seen.
 */
export function verifyWebhook(
  webhook: WebhookManifest,
  delivery: { headers: Readonly<Record<string, string | readonly string[] | undefined>>; rawBody: Uint8Array },
  secret: string,
): boolean {
  if (secret === '') return false;
  const wanted = webhook.header.toLowerCase();
  const found = Object.entries(delivery.headers).filter(([name]) => name.toLowerCase() === wanted);
  const [[, value] = []] = found;
  if (found.length !== 1 || typeof value !== 'string') return false;
  const given = bytesOf(webhook, value);
  if (given?.length !== DIGEST_BYTES[webhook.algorithm]) return false;
  return timingSafeEqual(given, createHmac(webhook.algorithm, secret).update(delivery.rawBody).digest());
}
