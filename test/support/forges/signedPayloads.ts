import { createHmac } from 'node:crypto';
import { bitbucketWebhook } from '../../../src/providers/bitbucket/hooks.ts';
import type { ReadDelivery } from '../../../src/contract/forge/hook.ts';
import { gitlabWebhook } from '../../../src/providers/gitlab/hooks.ts';
import { createJiraWebhook } from '../../../src/providers/jira/hooks.ts';
import { linearWebhook } from '../../../src/providers/linear/hooks.ts';

export const SECRET = 'the secret';
/** When deliveries come that do not say otherwise. */
export const NOW = Date.parse('2026-01-01T10:00:00Z');
const hex = (body: string) => createHmac('sha256', SECRET).update(body).digest('hex');

type Reads = (payload: object, receivedAt?: number) => ReadDelivery;
export const gitlab: Reads = (payload, receivedAt = NOW) =>
  gitlabWebhook(SECRET)({
    rawBody: Buffer.from(JSON.stringify(payload)),
    headers: { 'x-gitlab-token': SECRET },
    receivedAt,
  });
export const bitbucket = (
  payload: object,
  receivedAt = NOW,
  more: Record<string, string> = {},
): ReadDelivery => {
  const body = JSON.stringify(payload);
  const signature = `sha256=${hex(body)}`;
  const headers = {
    'x-hub-signature': signature,
    'x-request-uuid': 'b2f2c1a4-0000-4000-8000-000000000000',
    ...more,
  };
  return bitbucketWebhook(SECRET)({ rawBody: Buffer.from(body), headers, receivedAt });
};
export const jira = (payload: object, receivedAt = NOW, site = ''): ReadDelivery => {
  const body = JSON.stringify(payload);
  const headers = {
    'x-hub-signature': `sha256=${hex(body)}`,
    'x-atlassian-webhook-identifier': 'id-1',
  };
  return createJiraWebhook(site)(SECRET)({ rawBody: Buffer.from(body), headers, receivedAt });
};
export const linear: Reads = (payload, receivedAt = NOW) => {
  const body = JSON.stringify({ webhookTimestamp: NOW, ...payload });
  return linearWebhook(SECRET)({
    rawBody: Buffer.from(body),
    headers: { 'linear-signature': hex(body), 'linear-delivery': 'd-1' },
    receivedAt,
  });
};

/** Event, kind, reference, author, identities, program, member, pull requests. */
export const brief = ({ subject, event }: ReadDelivery) =>
  event && [
    event.event,
    event.kind,
    event.ref,
    event.author,
    event.identities.join(),
    event.bot,
    event.member,
    subject?.numbers ?? null,
  ];
