import type { ReceivedDelivery } from '../../contract/forge/hook.ts';
import type { WebhookManifest } from '../../contract/schema/runner/plugin.ts';
import { hashDelivery } from '../../providers/hooks/createSignedReader.ts';
import { readDeliveryId } from '../../providers/hooks/readDeliveryId.ts';
import { findIdHeader, isIdSigned } from '../../providers/hooks/signedText.ts';
import type { StoreContext } from '../server/cloudContext.ts';
import type { Sealer } from '../server/sealer.ts';
import type { TeamSender } from './findWebhook.ts';

/** Headers of the connection, and of proxies on the way: a runner has no use for them. */
const CONNECTION_HEADERS =
  /^(?:authorization|cookie|connection|keep-alive|host|te|trailer|transfer-encoding|upgrade|forwarded|via|x-forwarded-.*|x-real-ip|proxy-.*)$/;

/** Where the headers of a delivery open. */
export const toHeadersPlace = (teamId: string, pluginId: string, hash: string): string =>
  `delivery ${teamId} ${pluginId} ${hash}`;

const pickHeaders = (headers: ReceivedDelivery['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !CONNECTION_HEADERS.test(name) ? [[name, value]] : [],
    ),
  );

/**
 * Stores a genuine delivery for every runner of its team, in one statement. Resolves, once it is committed, with false
 * for a copy of one that is known: by its id, and by its bytes too where the id is not signed.
 */
export async function storeDelivery(
  { database, clock }: StoreContext,
  sealer: Sealer,
  { teamId, pluginId, isBuiltIn }: TeamSender,
  signature: WebhookManifest,
  delivery: ReceivedDelivery,
): Promise<boolean> {
  const { sql } = database;
  const idHeader = findIdHeader(signature);
  const id = idHeader === null ? null : readDeliveryId(delivery, [idHeader]);
  const hash = hashDelivery(delivery.rawBody);
  const headers = sealer.seal(
    JSON.stringify(pickHeaders(delivery.headers)),
    toHeadersPlace(teamId, pluginId, hash),
  );
  // A plugin's server may send the same bytes for each thing that happens.
  const isKnownByHash = id === null || (isBuiltIn && !isIdSigned(signature));
  const now = new Date(clock.now());
  const [row] = await database.confirm(
    () => sql`
      with stored as (
        insert into webhook_deliveries
          (team_id, plugin_id, delivery_id, hash, is_known_by_hash, headers, body, received_at)
        values (${teamId}, ${pluginId}, ${id}, ${hash}, ${isKnownByHash}, ${headers},
          ${Buffer.from(delivery.rawBody)}, ${now})
        on conflict do nothing
        returning n
      ), sent as (
        insert into webhook_sends (runner_id, n, next_at)
        select runners.id, stored.n, ${now}::timestamptz from stored, runners
        where runners.team_id = ${teamId} and runners.revoked_at is null
      )
      select n from stored`,
  );
  return row !== undefined;
}

/** Remembers when a sender last checked the address of its webhook: the admin who adds it waits for that. */
export const noteChallenge = (
  { database: { sql }, clock }: StoreContext,
  { teamId, pluginId }: TeamSender,
) => sql`
  update webhooks set challenged_at = ${new Date(clock.now())} where team_id = ${teamId} and plugin_id = ${pluginId}`;
