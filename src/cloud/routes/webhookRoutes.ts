import { WEBHOOK_CHALLENGE } from '../../contract/routes/pluginRoutes.ts';
import { allowBody, allowDelivery, requireBody } from '../../contract/routes/route.ts';
import { WebhookReply } from '../../contract/schema/forge/forge.ts';
import {
  AddWebhookBody,
  NewWebhook,
  RotateWebhookBody,
  TeamWebhookList,
} from '../../contract/schema/cloud/webhook.ts';
import Type from 'typebox';
import type { SomeCloudRoutes } from './cloudRoute.ts';

/** Webhooks of a team, and where senders send them. */
export const webhookRoutes = {
  receiveWebhook: {
    who: 'anyone',
    summary:
      'Takes a webhook for the runners of a team. It counts only with the signature of its sender; 202 means that it is stored; Linear gets 200, since it takes nothing else for success. The answer to an unknown team, an unknown sender and a wrong signature is the same.',
    body: allowDelivery(Type.Unknown({ description: 'Bytes as the sender signs them.' })),
    status: 202,
    reply: WebhookReply,
    plainText: WEBHOOK_CHALLENGE,
    refusals: [
      'unauthorized',
      'malformed',
      'too-large',
      'unsupported-type',
      'rate-limited',
      'temporarily-unavailable',
    ],
  },
  webhooks: {
    who: 'member',
    summary:
      'The senders whose webhooks the team takes, what waits for its runners, and the manifests of installed plugins.',
    reply: TeamWebhookList,
    refusals: [],
  },
  addWebhook: {
    who: 'admin',
    summary:
      'Takes the webhooks of a sender. The secret is shown once. An installed plugin needs the hash of the manifest that you accept.',
    target: ['plugin'],
    body: requireBody(AddWebhookBody),
    status: 201,
    reply: NewWebhook,
    refusals: ['conflict', 'not-possible-now', 'invalid'],
  },
  rotateWebhook: {
    who: 'admin',
    summary: 'Gives a sender a new secret. The old one is valid for 24 h more, unless now is set.',
    body: allowBody(RotateWebhookBody),
    reply: NewWebhook,
    refusals: ['not-possible-now', 'invalid'],
  },
  removeWebhook: {
    who: 'admin',
    summary: 'Takes no more webhooks of a sender. What it has sent is still delivered.',
    refusals: [],
  },
} satisfies SomeCloudRoutes;
