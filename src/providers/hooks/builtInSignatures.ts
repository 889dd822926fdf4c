import type { WebhookManifest } from '../../contract/schema/runner/plugin.ts';

export const GITHUB_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'X-Hub-Signature-256',
  format: 'prefixed-hex',
  idHeader: 'X-GitHub-Delivery',
};

/** With a signing token (`whsec_…`): Standard Webhooks. */
export const GITLAB_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'webhook-signature',
  format: 'standard',
};
/** With an older secret token: the delivery holds the token itself. */
export const GITLAB_TOKEN: WebhookManifest = {
  algorithm: 'sha256',
  header: 'X-Gitlab-Token',
  format: 'token',
  idHeader: 'Idempotency-Key',
};

export const BITBUCKET_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'X-Hub-Signature',
  format: 'prefixed-hex',
  idHeader: 'X-Request-UUID',
};

export const JIRA_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'X-Hub-Signature',
  format: 'prefixed-hex',
  idHeader: 'X-Atlassian-Webhook-Identifier',
};

export const LINEAR_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'Linear-Signature',
  format: 'hex',
  idHeader: 'Linear-Delivery',
  timestampField: 'webhookTimestamp',
};

type ChooseSignature = (secret: string) => WebhookManifest;

/** How GitLab signs with a secret: the signing tokens that it makes have a prefix. */
export const chooseGitlabSignature: ChooseSignature = (secret) =>
  secret.startsWith('whsec_') ? GITLAB_SIGNATURE : GITLAB_TOKEN;

/** How the senders that svc has built in sign with a secret, by plugin ID. */
export const BUILT_IN_SIGNATURES: Readonly<Record<string, ChooseSignature>> = {
  github: () => GITHUB_SIGNATURE,
  gitlab: chooseGitlabSignature,
  bitbucket: () => BITBUCKET_SIGNATURE,
  jira: () => JIRA_SIGNATURE,
  linear: () => LINEAR_SIGNATURE,
};
