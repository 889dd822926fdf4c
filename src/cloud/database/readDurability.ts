import type { Durability } from '../../contract/schema/cloud/cloudHealth.ts';
import type { Sql } from './database.ts';

/**
 * Whether PostgreSQL acknowledges a commit only when a standby has it: a synchronous standby is
 * configured and connected, and commits wait for it. `unknown` where this user may not see it.
 */
export async function readDurability(sql: Sql): Promise<Durability> {
  const [row] = await sql`
    select current_setting('synchronous_standby_names') as names,
      current_setting('synchronous_commit') as waits,
      (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')) as standbys,
      (select count(*) from pg_stat_replication where sync_state is null) as hidden`;
  if (row === undefined) return 'unknown';
  if (row.names === '' || row.waits === 'off' || row.waits === 'local') return 'single';
  if (Number(row.standbys) > 0) return 'replicated';
  // Without pg_monitor the states of standbys are null.
  return Number(row.hidden) > 0 ? 'unknown' : 'single';
}
