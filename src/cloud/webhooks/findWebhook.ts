import { BUILT_IN_SIGNATURES } from '../../providers/hooks/builtInSignatures.ts';
import type { WebhookManifest } from '../../contract/schema/runner/plugin.ts';
import type { Sealer } from '../server/sealer.ts';
import type { Sql } from '../database/database.ts';

/** A sender whose webhooks a team takes. */
export interface TeamSender {
  teamId: string;
  pluginId: string;
  /** One for each secret that counts now, the newest first. */
  keys: { secret: string; signature: WebhookManifest }[];
  /** Whether svc knows the sender by itself. */
  isBuiltIn: boolean;
}

/** Where the secrets of a webhook open. */
export const toSecretPlace = (teamId: string, pluginId: string): string =>
  `webhook ${teamId} ${pluginId}`;

/** How a sender signs with a secret; null = this version does not know the sender. */
export const chooseSignature = (
  pluginId: string,
  manifest: WebhookManifest | null,
  secret: string,
): WebhookManifest | null =>
  manifest ??
  (Object.hasOwn(BUILT_IN_SIGNATURES, pluginId)
    ? (BUILT_IN_SIGNATURES[pluginId]?.(secret) ?? null)
    : null);

interface WebhookRow {
  team_id: string;
  plugin_id: string;
  manifest: WebhookManifest | null;
  secret: Uint8Array;
  previous_secret: Uint8Array | null;
}

/**
 * The webhook at an address; null = the team takes none from this sender. `keys` is empty where its secrets were sealed
 * with another key.
 */
export async function findWebhook(
  sql: Sql,
  sealer: Sealer,
  { teamId, pluginId, now }: { teamId: string; pluginId: string; now: Date },
): Promise<TeamSender | null> {
  const [row] = await sql<WebhookRow[]>`
    select webhooks.team_id, webhooks.plugin_id, webhooks.manifest, webhooks.secret,
      case when webhooks.previous_until > ${now} then webhooks.previous_secret end as previous_secret
    from webhooks join teams on teams.id = webhooks.team_id
    where (teams.id = ${teamId} or teams.slug = ${teamId}) and webhooks.plugin_id = ${pluginId}
    order by teams.id = ${teamId} desc limit 1`;
  if (row === undefined) return null;
  const { manifest } = row;
  const place = toSecretPlace(row.team_id, row.plugin_id);
  const keys = [row.secret, row.previous_secret].flatMap((sealedSecret) => {
    const secret = sealedSecret === null ? null : sealer.open(sealedSecret, place);
    const signature = secret === null ? null : chooseSignature(pluginId, manifest, secret);
    return secret === null || signature === null ? [] : [{ secret, signature }];
  });
  return { teamId: row.team_id, pluginId: row.plugin_id, keys, isBuiltIn: manifest === null };
}
