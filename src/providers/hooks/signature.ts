import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookManifest } from '../../contract/schema/runner/plugin.ts';
import type { ReceivedDelivery } from '../../contract/forge/hook.ts';
import { readDeliveryHeader } from './readDeliveryHeader.ts';
import { formatSignedPrefix, isFreshTimestamp, readPairs } from './signedText.ts';

const DIGEST_BYTES = { sha256: 32, sha512: 64 } as const;

/** What is computed with where a secret is no key; nothing that it signs counts. */
const NO_KEY = Buffer.alloc(32);

/** Most signatures of one delivery that are checked: one for each secret during a rotation. */
const MAX_SIGNATURES = 10;

function decodeStrictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

const decodeStrictHex = (text: string): Buffer | null =>
  /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : null;

/** The decoded text after the prefix; null without the prefix. */
const decodeAfterPrefix = (
  prefix: string,
  text: string,
  decoded: (rest: string) => Buffer | null,
): Buffer | null => (text.startsWith(prefix) ? decoded(text.slice(prefix.length)) : null);

/** The bytes of the signatures. Any spelling other than the format's is left out. */
function parseSignatures({ algorithm, format, pairs }: WebhookManifest, text: string): Buffer[] {
  const decode = {
    hex: decodeStrictHex,
    'prefixed-hex': (one: string) => decodeAfterPrefix(`${algorithm}=`, one, decodeStrictHex),
    base64: decodeStrictBase64,
    standard: (one: string) => decodeAfterPrefix('v1,', one, decodeStrictBase64),
    token: () => null,
  }[format];
  const all =
    format === 'standard'
      ? text.split(' ')
      : pairs === undefined
        ? [text]
        : readPairs(text, pairs.signature);
  return all
    .slice(0, MAX_SIGNATURES)
    .map(decode)
    .filter((bytes): bytes is Buffer => bytes?.length === DIGEST_BYTES[algorithm]);
}

/**
 * The key of the HMAC; null for one that is not secret. A secret of Standard Webhooks is base64,
 * mostly after `whsec_`.
 */
function deriveHmacKey({ format }: WebhookManifest, secret: string): Buffer | null {
  const key =
    format === 'standard'
      ? decodeStrictBase64(secret.replace(/^whsec_/, ''))
      : Buffer.from(secret, 'utf8');
  return key === null || key.length === 0 ? null : key;
}

/** Compares in constant time, whatever the lengths. */
const isSameSecret = (a: string, b: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(a), digest(b));
};

/**
 * Whether a delivery was signed with the secret: HMAC by the manifest's algorithm over the raw
 * bytes of the body, or the manifest's `signed` text with them (`standard`: `id.timestamp.body`), or
 * the secret itself (`token`).
 * Compared in constant time. False for a missing or repeated header, for a signed time too far from
 * ours, and for an empty secret, whose HMAC anyone can compute. Repeats of a genuine delivery pass:
 * the caller remembers their ids.
 */
export function verifyWebhook(
  webhook: WebhookManifest,
  delivery: ReceivedDelivery,
  secret: string,
): boolean {
  const value = readDeliveryHeader(delivery, webhook.header);
  const key = deriveHmacKey(webhook, secret);
  const prefix = formatSignedPrefix(webhook, delivery);
  // Whatever is missing, and for a token too: the time that a refusal takes shows nothing.
  const expected = createHmac(webhook.algorithm, key ?? NO_KEY)
    .update(prefix ?? '', 'utf8')
    .update(delivery.rawBody)
    .digest();
  if (value === null || key === null || prefix === null) return false;
  if (webhook.format === 'token') return isSameSecret(value, secret);
  return parseSignatures(webhook, value).some((signature) => timingSafeEqual(signature, expected));
}

/**
 * Whether the time in the body of a genuine delivery (`timestampField`, epoch ms) is near enough;
 * true where the manifest names none.
 */
export function isRecentDelivery(
  { timestampField }: WebhookManifest,
  payload: unknown,
  receivedAt: number,
): boolean {
  if (timestampField === undefined) return true;
  const sentAt: unknown = Object(payload)[timestampField];
  return typeof sentAt === 'number' && isFreshTimestamp(sentAt, receivedAt);
}
