import type { Clock } from '../../base/time/clock.ts';
import type { Sql } from '../database/database.ts';
import type { CloudContext } from './cloudContext.ts';
import { HeldTime } from './heldTime.ts';

/** How long a node counts as alive after it renewed its lease, ms. */
export const LEASE_MS = 15_000;
/** Between two renewals, ms. */
export const LEASE_RENEWAL_MS = 5_000;
/** What the clocks of two nodes may differ by, ms; added where a lease is compared with one's own clock. */
export const LEASE_SLACK_MS = 60_000;
/** How long the row of a node that died is kept, ms. */
const DEAD_ROWS_MS = 24 * 3_600_000;

/** Time before which a lease must have ended for its node to count as dead. */
export const getLeaseHorizon = (clock: Clock): Date => new Date(clock.now() - LEASE_SLACK_MS);

export interface NodeLease {
  /**
   * Whether PostgreSQL counts this node as alive at this moment, whatever its clock says: a renewal that it has stored
   * was sent less than {@link LEASE_MS} ago. Without that, others may already have given up the runners of this node.
   */
  holds(): boolean;
  /** Since when it holds without a break, epoch ms; null = it does not. */
  getHeldSince(): number | null;
  /** Gives the lease up, so that others do not wait for its end. */
  release(): Promise<void>;
}

/** Enters this node into the table of nodes, and keeps it there. */
export async function openNodeLease(
  { database: { sql }, clock, nodeId, version, log }: CloudContext,
  { address, keyNames }: { address: string; keyNames: readonly string[] },
  monotonic: () => number = () => performance.now(),
): Promise<NodeLease> {
  const startedAt = new Date(clock.now());
  const heldTime = new HeldTime(clock, monotonic, LEASE_MS);
  let cancel: () => void = () => undefined;
  let isReleased = false;
  const renew = async (): Promise<void> => {
    const until = new Date(clock.now() + LEASE_MS);
    const sentAt = heldTime.begin();
    await sql`
      insert into nodes (id, address, version, lease_until, started_at, lease_end, keys)
      values (${nodeId}, ${address}, ${version}, ${until}, ${startedAt},
        clock_timestamp() + ${LEASE_MS} * interval '1 ms', ${sql.json([...keyNames])})
      on conflict (id) do update set lease_until = excluded.lease_until, lease_end = excluded.lease_end`;
    heldTime.renew(sentAt);
  };
  const keep = (): void => {
    cancel = clock.at(clock.now() + LEASE_RENEWAL_MS, () => {
      renew()
        // The database is away, or the network: the next renewal may succeed, and until then requests say it.
        .catch((error: unknown) =>
          log.warn({ err: error }, 'the lease of this node was not renewed'),
        )
        .finally(() => {
          if (!isReleased) keep();
        });
    });
  };
  await renew();
  await deleteNodes(sql, { deadBefore: new Date(clock.now() - DEAD_ROWS_MS) });
  keep();
  return {
    holds: () => heldTime.holds(),
    getHeldSince: () => heldTime.since,
    async release() {
      isReleased = true;
      cancel();
      heldTime.end();
      await deleteNodes(sql, { id: nodeId });
    },
  };
}

interface NodesToDelete {
  id?: string | null;
  deadBefore?: Date | null;
}

/** Together with the sessions that they still have: without its node, no one could say when a runner was last heard. */
const deleteNodes = (sql: Sql, { id = null, deadBefore = null }: NodesToDelete) => sql`
  with gone as (delete from nodes where id = ${id}::text or lease_until < ${deadBefore}::timestamptz returning id, lease_until, lease_end)
  update runner_sessions set lost_at = gone.lease_until, heard_at = least(gone.lease_end, clock_timestamp())
  from gone where runner_sessions.node_id = gone.id and runner_sessions.lost_at is null`;
