import type { SealedColumn } from '../server/resealColumn.ts';
import { toHeadersPlace } from './storeDelivery.ts';
import { toSecretPlace } from './findWebhook.ts';

const toWebhookPlace: SealedColumn['toPlace'] = ({ team_id, plugin_id }) =>
  toSecretPlace(String(team_id), String(plugin_id));

/** What is sealed of webhooks. */
export const SEALED_WEBHOOKS: readonly SealedColumn[] = [
  {
    table: 'webhooks',
    column: 'secret',
    facts: ['team_id', 'plugin_id'],
    toPlace: toWebhookPlace,
  },
  {
    table: 'webhooks',
    column: 'previous_secret',
    facts: ['team_id', 'plugin_id'],
    toPlace: toWebhookPlace,
  },
  {
    table: 'webhook_deliveries',
    column: 'headers',
    facts: ['team_id', 'plugin_id', 'hash'],
    toPlace: ({ team_id, plugin_id, hash }) =>
      toHeadersPlace(String(team_id), String(plugin_id), String(hash)),
  },
];
