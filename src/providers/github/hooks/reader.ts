import type { WebhookManifest } from '../../../schema/plugin.ts';
import { githubEvent } from './event.ts';
import { subjectOf } from './subject.ts';
import { signedReader } from '../../hooks/signedReader.ts';

/** How GitHub signs. */
export const GITHUB_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'X-Hub-Signature-256',
  format: 'prefixed-hex',
  idHeader: 'X-GitHub-Delivery',
};

/** Reads deliveries of GitHub. */
export const githubWebhook = signedReader({
  id: 'github',
  signature: () => GITHUB_SIGNATURE,
  idHeaders: ['X-GitHub-Delivery'],
  // X-GitHub-Event is not signed: what it is about shows in the payload.
  read: (payload) => ({ subject: subjectOf(payload), event: githubEvent(payload) }),
});
