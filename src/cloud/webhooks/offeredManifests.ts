import { createHash } from 'node:crypto';
import { Check } from 'typebox/value';
import { WebhookManifest } from '../../contract/schema/runner/plugin.ts';
import { BUILT_IN_SIGNATURES } from '../../providers/hooks/builtInSignatures.ts';
import { explainWebhookFault } from '../../providers/hooks/signedText.ts';
import type { Sql } from '../database/database.ts';

export interface OfferedManifest {
  pluginId: string;
  runner: string;
  hash: string;
  manifest: WebhookManifest;
}

export const isBuiltInSender = (pluginId: string): boolean =>
  Object.hasOwn(BUILT_IN_SIGNATURES, pluginId);

/** The same for the same members in any order. */
export const hashManifest = (manifest: WebhookManifest): string =>
  createHash('sha256').update(formatSorted(manifest)).digest('hex');

const formatSorted = (value: object): string =>
  JSON.stringify(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [
        name,
        typeof member === 'object' ? formatSorted(member) : String(member),
      ]),
  );

/** What the runners of a team say of their installed plugins. What is not valid is left out, and so is a plugin that svc has built in. */
export async function listOfferedManifests(sql: Sql, teamId: string): Promise<OfferedManifest[]> {
  const rows = await sql`
    select runners.name, one ->> 'pluginId' as plugin_id, one -> 'manifest' as manifest, one -> 'challenge' as challenge
    from runners cross join lateral jsonb_array_elements(runners.hello -> 'webhooks') one
    where runners.team_id = ${teamId} and runners.revoked_at is null
      and jsonb_typeof(runners.hello -> 'webhooks') = 'array'
    order by plugin_id, runners.name`;
  return rows.flatMap(({ name: runner, plugin_id: pluginId, challenge, ...row }) => {
    const manifest: unknown = challenge === null ? row.manifest : { ...row.manifest, challenge };
    const isValid = Check(WebhookManifest, manifest) && explainWebhookFault(manifest) === null;
    if (!isValid || isBuiltInSender(pluginId)) return [];
    return [{ pluginId, runner, manifest, hash: hashManifest(manifest) }];
  });
}
