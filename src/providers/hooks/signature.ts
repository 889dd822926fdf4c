import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookManifest } from '../../contract/schema/runner/plugin.ts';
import type { ReceivedDelivery } from '../../contract/forge/hook.ts';

const DIGEST_BYTES = { sha256: 32, sha512: 64 } as const;

/** How far the time of a delivery may be from ours, ms, where the manifest names one. */
export const TOLERANCE_MS = 5 * 60_000;

/**
 * Maximum number of signatures of one delivery that are checked: one more for each secret that is
 * being changed.
 */
const MAX_SIGNATURES = 10;

/** Headers of Standard Webhooks, where the manifest names no others. */
const STANDARD = { id: 'webhook-id', timestamp: 'webhook-timestamp' } as const;

/** The value of a header; null for one that is missing or there twice. */
export function readDeliveryHeader(
  { headers }: Pick<ReceivedDelivery, 'headers'>,
  name: string,
): string | null {
  const wanted = name.toLowerCase();
  const found = Object.entries(headers).filter(
    ([key, value]) => key.toLowerCase() === wanted && value !== undefined,
  );
  const [[, value] = []] = found;
  return found.length === 1 && typeof value === 'string' ? value : null;
}

function decodeStrictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

const decodeStrictHex = (text: string): Buffer | null =>
  /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : null;

/** What follows the prefix, decoded; null without it. */
const decodeAfterPrefix = (
  prefix: string,
  text: string,
  decoded: (rest: string) => Buffer | null,
): Buffer | null => (text.startsWith(prefix) ? decoded(text.slice(prefix.length)) : null);

/**
 * The signatures' bytes; one that is not written as the format says is left out: no other way to
 * write them is taken.
 */
function parseSignatures({ algorithm, format }: WebhookManifest, text: string): Buffer[] {
  const found = {
    hex: () => [decodeStrictHex(text)],
    'prefixed-hex': () => [decodeAfterPrefix(`${algorithm}=`, text, decodeStrictHex)],
    base64: () => [decodeStrictBase64(text)],
    standard: () =>
      text
        .split(' ')
        .slice(0, MAX_SIGNATURES)
        .map((one) => decodeAfterPrefix('v1,', one, decodeStrictBase64)),
    token: () => [],
  }[format]();
  return found.filter((bytes): bytes is Buffer => bytes?.length === DIGEST_BYTES[algorithm]);
}

/**
 * The key of the HMAC; null for one that everybody has. A secret of Standard Webhooks is base64,
 * mostly behind `whsec_`.
 */
function deriveHmacKey({ format }: WebhookManifest, secret: string): Buffer | null {
  const key =
    format === 'standard'
      ? decodeStrictBase64(secret.replace(/^whsec_/, ''))
      : Buffer.from(secret, 'utf8');
  return key === null || key.length === 0 ? null : key;
}

/**
 * Equal texts; how long it takes tells nothing of where they differ, nor of how long the secret is.
 */
const isSameSecret = (a: string, b: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(a), digest(b));
};

const isFreshTimestamp = (sentAt: number, receivedAt: number): boolean =>
  Number.isFinite(sentAt) && Math.abs(receivedAt - sentAt) <= TOLERANCE_MS;

/**
 * Whether a delivery was signed with the secret: HMAC by the manifest's algorithm over the body's
 * bytes as they came (`standard`: over `id.timestamp.body`), or the secret itself (`token`).
 * Compared in constant time. False for a missing or repeated header, for a signed time too far from
 * ours, and for an empty secret, whose HMAC anyone can compute. Repeats of a genuine delivery pass:
 * the caller keeps the ids that were seen.
 */
export function verifyWebhook(
  webhook: WebhookManifest,
  delivery: ReceivedDelivery,
  secret: string,
): boolean {
  const value = readDeliveryHeader(delivery, webhook.header);
  const key = deriveHmacKey(webhook, secret);
  if (value === null || key === null) return false;
  if (webhook.format === 'token') return isSameSecret(value, secret);
  const hmac = createHmac(webhook.algorithm, key);
  if (webhook.format === 'standard') {
    const id = readDeliveryHeader(delivery, webhook.idHeader ?? STANDARD.id);
    const timestamp = readDeliveryHeader(delivery, webhook.timestampHeader ?? STANDARD.timestamp);
    // A dot in either would let the parts be cut elsewhere.
    if (id === null || id.includes('.') || timestamp === null || !/^\d{1,12}$/.test(timestamp))
      return false;
    if (!isFreshTimestamp(Number(timestamp) * 1000, delivery.receivedAt)) return false;
    hmac.update(`${id}.${timestamp}.`, 'utf8');
  }
  const expected = hmac.update(delivery.rawBody).digest();
  return parseSignatures(webhook, value).some((given) => timingSafeEqual(given, expected));
}

/**
 * Whether the time that a genuine delivery names in its body (`timestampField`, epoch ms) is near
 * enough; true where none is asked for.
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
