import { randomBytes } from 'node:crypto';
import { SvcError } from '../../base/errors/errors.ts';
import type { AddWebhookBody, RotateWebhookBody } from '../../contract/schema/cloud/webhook.ts';
import type { WebhookManifest } from '../../contract/schema/runner/plugin.ts';
import type { StoreContext } from '../server/cloudContext.ts';
import type { Sealer } from '../server/sealer.ts';
import { isBuiltInSender, listOfferedManifests } from './offeredManifests.ts';
import { toSecretPlace } from './findWebhook.ts';

/** How long the secret before is valid after a change, ms. */
export const PREVIOUS_SECRET_MS = 24 * 3_600_000;
/** Bytes of a secret that is made. */
const SECRET_BYTES = 32;

/** A new secret in the form that the sender takes. */
const createSecret = (manifest: WebhookManifest | null): string => {
  const bytes = randomBytes(SECRET_BYTES);
  return manifest?.format === 'standard'
    ? `whsec_${bytes.toString('base64')}`
    : bytes.toString('hex');
};

/** Throws SvcError `invalid` for a secret that the format cannot use: nothing would ever be verified. */
function checkSecret(secret: string, manifest: WebhookManifest | null): void {
  const isStandard = manifest?.format === 'standard';
  const text = secret.replace(/^whsec_/, '');
  if (isStandard && Buffer.from(text, 'base64').toString('base64') !== text)
    throw new SvcError('invalid', 'The secret of this sender must be base64, mostly after whsec_.');
}

/** The manifest that an admin accepts; null = svc knows the sender. Throws SvcError `not-possible-now`, `conflict`. */
async function acceptManifest(
  { database }: StoreContext,
  teamId: string,
  { plugin, manifest: hash }: AddWebhookBody,
): Promise<WebhookManifest | null> {
  if (isBuiltInSender(plugin)) return null;
  const offeredManifests = (await listOfferedManifests(database.sql, teamId)).filter(
    ({ pluginId }) => pluginId === plugin,
  );
  if (offeredManifests.length === 0)
    throw new SvcError(
      'not-possible-now',
      `svc does not know how ${plugin} signs its webhooks, and no runner of the team has a plugin ${plugin} with a webhook. Install it on one and start that runner.`,
    );
  const offeredManifest = offeredManifests.find((one) => one.hash === hash);
  if (offeredManifest !== undefined) return offeredManifest.manifest;
  throw new SvcError(
    'conflict',
    `${plugin} is an installed plugin: accept the manifest by which its webhooks are verified.`,
    { data: { offered: offeredManifests } },
  );
}

/** Takes the webhooks of a sender; resolves with the secret, or null where it was given. */
export async function addWebhook(
  context: StoreContext,
  sealer: Sealer,
  { teamId, userId, body }: { teamId: string; userId: string; body: AddWebhookBody },
): Promise<string | null> {
  const { database, clock } = context;
  const manifest = await acceptManifest(context, teamId, body);
  const secret = body.secret ?? createSecret(manifest);
  checkSecret(secret, manifest);
  const sealedSecret = sealer.seal(secret, toSecretPlace(teamId, body.plugin));
  const now = new Date(clock.now());
  const { count } = await database.sql`
    insert into webhooks (team_id, plugin_id, manifest, secret, created_by, created_at, changed_at)
    values (${teamId}, ${body.plugin}, ${manifest === null ? null : database.sql.json(manifest)}, ${sealedSecret},
      ${userId}, ${now}, ${now})
    on conflict do nothing`;
  if (count === 0)
    throw new SvcError(
      'conflict',
      `The team takes webhooks of ${body.plugin} already. For a new secret: svc cloud webhook rotate ${body.plugin}`,
    );
  return body.secret === undefined ? secret : null;
}

/** Gives a sender another secret; resolves with it, or null where it was given. Throws SvcError `not-found`. */
export async function rotateWebhook(
  { database, clock }: StoreContext,
  sealer: Sealer,
  { teamId, pluginId, body }: { teamId: string; pluginId: string; body: RotateWebhookBody },
): Promise<string | null> {
  const [row] = await database.sql`
    select manifest from webhooks where team_id = ${teamId} and plugin_id = ${pluginId}`;
  if (row === undefined) throw createUnknownError(pluginId);
  const secret = body.secret ?? createSecret(row.manifest);
  checkSecret(secret, row.manifest);
  const now = clock.now();
  const until = body.now === true ? null : new Date(now + PREVIOUS_SECRET_MS);
  await database.sql`
    update webhooks set previous_secret = case when ${until}::timestamptz is null then null else secret end,
      previous_until = ${until}, secret = ${sealer.seal(secret, toSecretPlace(teamId, pluginId))},
      changed_at = ${new Date(now)}
    where team_id = ${teamId} and plugin_id = ${pluginId}`;
  return body.secret === undefined ? secret : null;
}

/** Throws SvcError `not-found`. */
export async function removeWebhook(
  { database }: StoreContext,
  teamId: string,
  pluginId: string,
): Promise<void> {
  const { count } = await database.sql`
    delete from webhooks where team_id = ${teamId} and plugin_id = ${pluginId}`;
  if (count === 0) throw createUnknownError(pluginId);
}

const createUnknownError = (pluginId: string): SvcError =>
  new SvcError('not-found', `The team takes no webhooks of ${pluginId}.`);
