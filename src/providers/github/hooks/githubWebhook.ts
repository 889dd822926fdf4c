import type { WebhookManifest } from '../../../contract/schema/runner/plugin.ts';
import { readGithubEvent } from './readGithubEvent.ts';
import { readGithubSubject } from './readGithubSubject.ts';
import { createSignedReader } from '../../hooks/createSignedReader.ts';

/** How GitHub signs. */
export const GITHUB_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'X-Hub-Signature-256',
  format: 'prefixed-hex',
  idHeader: 'X-GitHub-Delivery',
};

/** Reads deliveries of GitHub. */
export const githubWebhook = createSignedReader({
  id: 'github',
  signature: () => GITHUB_SIGNATURE,
  idHeaders: ['X-GitHub-Delivery'],
  // X-GitHub-Event is not signed: what it is about shows in the payload.
  read: (payload) => ({ subject: readGithubSubject(payload), event: readGithubEvent(payload) }),
});
