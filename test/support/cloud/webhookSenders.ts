import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookManifest } from '../../../src/contract/schema/runner/plugin.ts';
import { SLACK, STANDARD_WEBHOOKS, STRIPE_LIKE } from '../forges/signedSenders.ts';
import { createSigningSecret, enterRequestUrl, signAsSlack } from '../forges/slackRequests.ts';

type Headers = Record<string, string>;

const hex = (secret: string, ...parts: (string | Uint8Array)[]): string =>
  parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', secret)).digest('hex');

const toSeconds = (at: number): string => String(Math.floor(at / 1000));

export interface Sender {
  plugin: string;
  /** Of an installed plugin; left out = svc knows the sender. */
  manifest?: WebhookManifest;
  /** The secret, where the sender makes it; left out = the sender takes one. */
  createSecret?(): string;
  /** Enters an address at a sender that checks it first. Rejects where the sender refuses it. */
  enterAddress?(url: string, secret: string): Promise<void>;
  /** The only status that it takes for success; left out = each from 200 to 299. */
  success?: number;
  payload(at: number): object;
  /** Headers of a genuine delivery, as the sender's documentation describes them. */
  sign(body: Uint8Array, secret: string, place: { id: string; at: number }): Headers;
  /** Header with the signature. */
  header: string;
}

/** The eight kinds of senders that are named in the guide. */
export const SENDERS: readonly Sender[] = [
  {
    plugin: 'github',
    header: 'x-hub-signature-256',
    payload: () => ({ action: 'opened', issue: { number: 1 }, repository: { full_name: 'a/b' } }),
    sign: (body, secret, { id }) => ({
      'x-github-event': 'issues',
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${hex(secret, body)}`,
    }),
  },
  {
    plugin: 'gitlab',
    header: 'x-gitlab-token',
    payload: () => ({ object_kind: 'note', project: { path_with_namespace: 'a/b' } }),
    sign: (_body, secret, { id }) => ({
      'x-gitlab-event': 'Note Hook',
      'idempotency-key': id,
      'x-gitlab-token': secret,
    }),
  },
  {
    plugin: 'bitbucket',
    header: 'x-hub-signature',
    payload: () => ({ repository: { full_name: 'a/b' }, pullrequest: { id: 1 } }),
    sign: (body, secret, { id }) => ({
      'x-event-key': 'pullrequest:created',
      'x-request-uuid': id,
      'x-hub-signature': `sha256=${hex(secret, body)}`,
    }),
  },
  {
    plugin: 'jira',
    header: 'x-hub-signature',
    payload: () => ({ webhookEvent: 'jira:issue_created', issue: { key: 'ABC-1' } }),
    sign: (body, secret, { id }) => ({
      'x-atlassian-webhook-identifier': id,
      'x-hub-signature': `sha256=${hex(secret, body)}`,
    }),
  },
  {
    plugin: 'linear',
    header: 'linear-signature',
    success: 200,
    createSecret: () => `lin_wh_${randomBytes(24).toString('base64url')}`,
    payload: (at) => ({ type: 'Issue', action: 'create', webhookTimestamp: at }),
    sign: (body, secret, { id }) => ({
      'linear-delivery': id,
      'linear-event': 'Issue',
      'linear-signature': hex(secret, body),
    }),
  },
  {
    plugin: 'slack',
    manifest: SLACK,
    header: 'x-slack-signature',
    payload: () => ({ type: 'event_callback', event: { type: 'message' } }),
    createSecret: createSigningSecret,
    enterAddress: enterRequestUrl,
    sign: (body, secret, { at }) => signAsSlack(body, secret, at),
  },
  {
    plugin: 'payments',
    manifest: STRIPE_LIKE,
    header: 'stripe-signature',
    createSecret: () => `whsec_${randomBytes(24).toString('hex')}`,
    payload: () => ({ object: 'event', type: 'invoice.paid' }),
    sign: (body, secret, { at }) => ({
      'stripe-signature': `t=${toSeconds(at)},v1=${hex(secret, `${toSeconds(at)}.`, body)}`,
    }),
  },
  {
    plugin: 'standard',
    manifest: STANDARD_WEBHOOKS,
    header: 'webhook-signature',
    payload: () => ({ type: 'user.created' }),
    sign(body, secret, { id, at }) {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const hmac = createHmac('sha256', key)
        .update(`${id}.${toSeconds(at)}.`)
        .update(body);
      return {
        'webhook-id': id,
        'webhook-timestamp': toSeconds(at),
        'webhook-signature': `v1,${hmac.digest('base64')}`,
      };
    },
  },
];

export const findSender = (plugin: string): Sender => {
  const sender = SENDERS.find((one) => one.plugin === plugin);
  if (sender === undefined) throw new Error(`no sender ${plugin}`);
  return sender;
};
