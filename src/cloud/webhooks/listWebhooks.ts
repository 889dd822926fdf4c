import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { TeamWebhook, TeamWebhookList } from '../../contract/schema/cloud/webhook.ts';
import { KEPT_DELIVERY_MS } from '../retention/retentionRules.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import type { Sealer } from '../server/sealer.ts';
import { hashManifest, listOfferedManifests } from './offeredManifests.ts';
import { toSecretPlace } from './findWebhook.ts';

/** Most claims without a job that are shown. */
const MOST_UNCLAIMED = 50;

interface ListParts {
  context: CloudContext;
  /** null = this node cannot open secrets. */
  sealer: Sealer | null;
}

const toIso = (time: Date | null): string | null =>
  time === null ? null : toIsoTime(time.getTime());

/** The webhooks of a team, by sender. */
export async function listTeamWebhooks(
  { context, sealer }: ListParts,
  teamId: string,
): Promise<TeamWebhook[]> {
  const { database, clock, publicUrl } = context;
  const { sql } = database;
  const now = clock.now();
  const [rows, runners] = await Promise.all([
    sql`
      select plugin_id, manifest is null as built_in, secret, created_at,
        case when previous_until > ${new Date(now)} then previous_until end as previous_until,
        greatest(
          (select max(received_at) from webhook_deliveries deliveries
            where deliveries.team_id = webhooks.team_id and deliveries.plugin_id = webhooks.plugin_id),
          case when challenged_at > ${new Date(now - KEPT_DELIVERY_MS)} then challenged_at end) as last_at
      from webhooks where team_id = ${teamId} order by plugin_id`,
    sql`
      select deliveries.plugin_id, runners.name,
        count(*) filter (where sends.next_at is not null) as waiting,
        count(*) filter (where sends.next_at is null) as refused,
        (array_agg(sends.problem order by sends.n desc) filter (where sends.problem is not null))[1] as reason
      from webhook_sends sends
      join webhook_deliveries deliveries on deliveries.n = sends.n
      join runners on runners.id = sends.runner_id and runners.revoked_at is null
      where deliveries.team_id = ${teamId}
      group by deliveries.plugin_id, runners.id, runners.name order by runners.name`,
  ]);
  return rows.map((row) => ({
    plugin: row.plugin_id,
    url: `${publicUrl}/webhook/${teamId}/${row.plugin_id}`,
    builtIn: row.built_in,
    readable: sealer?.open(row.secret, toSecretPlace(teamId, row.plugin_id)) != null,
    createdAt: toIsoTime(row.created_at.getTime()),
    previousUntil: toIso(row.previous_until),
    lastAt: toIso(row.last_at),
    runners: runners
      .filter(({ plugin_id }) => plugin_id === row.plugin_id)
      .map(({ name, waiting, refused, reason }) => ({
        runner: name,
        waiting: Number(waiting),
        refused: Number(refused),
        reason,
      })),
  }));
}

/** The same with what no runner has taken, and the manifests that an admin may accept. */
export async function describeWebhooks(parts: ListParts, teamId: string): Promise<TeamWebhookList> {
  const { sql } = parts.context.database;
  const [webhooks, claimRows, offeredManifests, manifestRows] = await Promise.all([
    listTeamWebhooks(parts, teamId),
    sql`
      select rule, plugin_id, subject, state, reason, changed_at from webhook_claims
      where team_id = ${teamId} and state in ('open', 'expired') and reason is not null
      order by changed_at desc limit ${MOST_UNCLAIMED}`,
    listOfferedManifests(sql, teamId),
    sql`select manifest from webhooks where team_id = ${teamId} and manifest is not null`,
  ]);
  const acceptedHashes = new Set(manifestRows.map(({ manifest }) => hashManifest(manifest)));
  return {
    webhooks,
    unclaimed: claimRows.map((row) => ({
      rule: row.rule,
      plugin: row.plugin_id,
      subject: row.subject,
      expired: row.state === 'expired',
      reason: row.reason,
      since: toIsoTime(row.changed_at.getTime()),
    })),
    offered: offeredManifests.map(({ pluginId: plugin, ...rest }) => ({
      plugin,
      ...rest,
      accepted: acceptedHashes.has(rest.hash),
    })),
  };
}
