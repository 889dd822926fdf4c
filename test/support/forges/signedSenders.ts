import type { WebhookManifest } from '../../../src/contract/schema/runner/plugin.ts';

/**
 * https://docs.slack.dev/authentication/verifying-requests-from-slack and, for the challenge,
 * https://docs.slack.dev/reference/events/url_verification
 */
export const SLACK = {
  algorithm: 'sha256',
  header: 'X-Slack-Signature',
  format: 'hex',
  timestampHeader: 'X-Slack-Request-Timestamp',
  signed: 'v0:{timestamp}:{body}',
  pairs: { signature: 'v0' },
  challenge: { member: 'type', equals: 'url_verification', reply: 'challenge' },
} satisfies WebhookManifest;

/** https://docs.stripe.com/webhooks#verify-manually */
export const STRIPE_LIKE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'Stripe-Signature',
  format: 'hex',
  signed: '{timestamp}.{body}',
  pairs: { signature: 'v1', timestamp: 't' },
};

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const STANDARD_WEBHOOKS: WebhookManifest = {
  algorithm: 'sha256',
  header: 'webhook-signature',
  format: 'standard',
};
