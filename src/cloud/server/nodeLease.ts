import type { Clock } from '../../base/time/clock.ts';
import type { CloudContext } from './cloudContext.ts';

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
  /** Gives the lease up, so that others do not wait for its end. */
  release(): Promise<void>;
}

/** Enters this node into the table of nodes, and keeps it there. */
export async function openNodeLease(
  { database: { sql }, clock, nodeId, version, log }: CloudContext,
  address: string,
): Promise<NodeLease> {
  const startedAt = new Date(clock.now());
  let cancel: () => void = () => undefined;
  let isReleased = false;
  const renew = async (): Promise<void> => {
    const until = new Date(clock.now() + LEASE_MS);
    await sql`
      insert into nodes (id, address, version, lease_until, started_at)
      values (${nodeId}, ${address}, ${version}, ${until}, ${startedAt})
      on conflict (id) do update set lease_until = excluded.lease_until`;
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
  await sql`delete from nodes where lease_until < ${new Date(clock.now() - DEAD_ROWS_MS)}`;
  keep();
  return {
    async release() {
      isReleased = true;
      cancel();
      await sql`delete from nodes where id = ${nodeId}`;
    },
  };
}
