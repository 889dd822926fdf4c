import { SvcError } from '../lib/errors.ts';
import type { WebhookManifest } from '../schema/plugin.ts';
import type { ReadWebhook } from './delivery.ts';
import { subjectOf } from './githubSubject.ts';
import { verifyWebhook } from './signature.ts';

/** How GitHub signs. */
export const GITHUB_SIGNATURE: WebhookManifest = { algorithm: 'sha256', header: 'X-Hub-Signature-256', format: 'prefixed-hex' };

/** GitHub's ids are UUIDs; what is longer is not one. */
const ID = /^[A-Za-z0-9-]{8,64}$/;

/** Reads deliveries of GitHub. */
export const githubWebhook =
  (secret: string): ReadWebhook =>
  (delivery) => {
    if (!verifyWebhook(GITHUB_SIGNATURE, delivery, secret)) {
      throw new SvcError(
        'unauthorized',
        'The delivery was not signed with the secret plugins.installed.github.config.webhookSecret.',
      );
    }
    const { 'x-github-delivery': id } = delivery.headers;
    if (typeof id !== 'string' || !ID.test(id)) throw new SvcError('malformed', 'The delivery has no X-GitHub-Delivery.');
    try {
      return { id, subject: subjectOf(JSON.parse(Buffer.from(delivery.rawBody).toString('utf8'))) };
    } catch {
      throw new SvcError('malformed', 'The delivery is not JSON: choose the content type application/json for the webhook.');
    }
  };
