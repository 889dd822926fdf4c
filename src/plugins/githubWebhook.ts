import { SvcError } from '../lib/errors.ts';
import { subjectOf, type WebhookSubject } from '../scm/github/webhook.ts';
import { githubPlugin } from './builtIn/github.ts';
import { verifyWebhook } from './webhook.ts';

/** A delivery as it came. */
export interface Delivery {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  rawBody: Uint8Array;
}

/** What is taken of a genuine delivery. */
export interface ReadDelivery {
  /** The same for a delivery that is sent again. */
  id: string;
  subject: WebhookSubject | null;
}

/** GitHub's ids are UUIDs; what is longer is not one. */
const ID = /^[A-Za-z0-9-]{8,64}$/;

/**
 * Reads a delivery of GitHub. Throws SvcError `unauthorized` for one that was not signed with the secret, before anything of it is
 * looked at, and `malformed` for a genuine one that cannot be read.
 */
export const githubWebhook =
  (secret: string) =>
  (delivery: Delivery): ReadDelivery => {
    const { webhook } = githubPlugin.manifest;
    if (!webhook || !verifyWebhook(webhook, delivery, secret)) {
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
