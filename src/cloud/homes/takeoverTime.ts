import type { Sql, TransactionSql } from '../database/database.ts';

/** When a runner was heard of, all by the clock of PostgreSQL. */
export interface Presence {
  now: Date;
  /** It has a session that has not ended, on a node that lives. */
  isConnected: boolean;
  /** The last that is known of it, its claim included; null = it has neither claimed nor connected. */
  heardAt: Date | null;
  /** End of the lease of the node that its session is on, where that session has not ended; null = it has. */
  nodeEnd: Date | null;
}

/** A runner's presence. In a transaction that has locked its row, no hello comes in between. */
export async function readPresence(sql: Sql | TransactionSql, runnerId: string): Promise<Presence> {
  const [row] = await sql`
    select clock_timestamp() as now, greatest(sessions.heard_at, homes.claimed_at) as heard_at,
      sessions.runner_id is null or sessions.lost_at is not null as is_left, nodes.lease_end
    from (select ${runnerId}::text as id) given
    left join homes on homes.runner_id = given.id
    left join runner_sessions sessions on sessions.runner_id = given.id
    left join nodes on nodes.id = sessions.node_id`;
  const now: Date = row?.now;
  const heardAt: Date | null = row?.heard_at ?? null;
  const nodeEnd: Date | null = row?.is_left !== false ? null : (row?.lease_end ?? null);
  return { now, heardAt, nodeEnd, isConnected: nodeEnd !== null && nodeEnd > now };
}

/**
 * From when on no process of the runner can act any more; null = not while it is connected. A runner acts for less than
 * a window after a beat that was answered, and a node answers none as leased after the end of its own lease.
 */
export function findTakeoverTime(
  { now, isConnected, heardAt, nodeEnd }: Presence,
  takeoverMs: number,
): Date | null {
  if (isConnected) return null;
  if (heardAt === null) return now;
  return new Date(Math.max(heardAt.getTime(), nodeEnd?.getTime() ?? 0) + takeoverMs);
}
