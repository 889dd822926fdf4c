import { createHmac } from 'node:crypto';
import type { Channel } from './channel.ts';
import { postMessage } from './postMessage.ts';

interface WebhookOptions {
  url: string;
  /** `whsec_` and the key as base64. */
  secret: string;
  /** Epoch ms. */
  now(): number;
}

/** The value of `webhook-signature`, as Standard Webhooks 1.0 asks for: HMAC-SHA256 of `id.timestamp.body`. */
export function signWebhook(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** Messages as JSON, signed as Standard Webhooks 1.0 asks for. A receiver knows repeats by `webhook-id`. */
export const createWebhookChannel = ({ url, secret, now }: WebhookOptions): Channel => ({
  repeats: true,
  send(message, signal) {
    const { id, type, at, ...data } = message;
    const body = JSON.stringify({ type: `svc.${type}`, timestamp: at, data: { id, ...data } });
    const timestamp = Math.floor(now() / 1_000);
    return postMessage({
      url,
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook(secret, id, timestamp, body),
      },
      signal,
      now,
      // A receiver whose program has an error is repaired, and then takes the message.
      explain: () => ({ final: false }),
    });
  },
});
