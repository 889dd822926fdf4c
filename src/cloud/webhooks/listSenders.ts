import { MAX_NAMED_SENDERS } from '../../contract/channel/limits.ts';
import type { Sql } from '../database/database.ts';

/** The plugins whose webhooks a team takes, by ID; at most {@link MAX_NAMED_SENDERS}. */
export async function listSenders(sql: Sql, teamId: string): Promise<string[]> {
  const rows = await sql`
    select plugin_id from webhooks where team_id = ${teamId} order by plugin_id limit ${MAX_NAMED_SENDERS}`;
  return rows.map(({ plugin_id: pluginId }) => pluginId);
}
