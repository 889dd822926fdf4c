import type { CloudHealth } from '../../contract/schema/cloud/cloudHealth.ts';
import { readDurability } from '../database/readDurability.ts';
import type { CloudContext } from './cloudContext.ts';
import { getLeaseHorizon } from './nodeLease.ts';

/** How long one look at the database answers all requests for health, ms: they need no login. */
const LOOK_MS = 1_000;
/** Longest wait for the database, ms; then it counts as away. */
const LOOK_TIMEOUT_MS = 2_000;

type Look = Pick<CloudHealth, 'durability' | 'databaseReachable' | 'runnersConnected'>;

const AWAY: Look = { durability: 'unknown', databaseReachable: false, runnersConnected: null };

/** Reads what `GET /health` shows. Never rejects. */
export function createHealthCheck(
  context: CloudContext,
  facts: { database: string; startedAt: number; isStopping(): boolean },
): () => Promise<CloudHealth> {
  const { clock, version, nodeId } = context;
  let last: { at: number; look: Promise<Look> } | null = null;
  const look = (): Promise<Look> => {
    if (last === null || clock.now() - last.at >= LOOK_MS)
      last = { at: clock.now(), look: lookAtDatabase(context) };
    return last.look;
  };
  return async () => {
    const seen = await look();
    const up = seen.databaseReachable ? 'up' : 'no-database';
    return {
      version,
      nodeId,
      status: facts.isStopping() ? 'stopping' : up,
      ...seen,
      database: facts.database,
      uptimeMs: clock.now() - facts.startedAt,
    };
  };
}

async function lookAtDatabase({ database: { sql }, clock, log }: CloudContext): Promise<Look> {
  let cancel: () => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.at(clock.now() + LOOK_TIMEOUT_MS, () =>
      reject(new Error('The database has not answered in time.')),
    );
  });
  const ask = async (): Promise<Look> => {
    const [row] = await sql`
      select count(*) as connected
      from runner_sessions join nodes on nodes.id = runner_sessions.node_id
      where runner_sessions.lost_at is null and nodes.lease_until > ${getLeaseHorizon(clock)}`;
    const durability = await readDurability(sql).catch(() => 'unknown' as const);
    return { durability, databaseReachable: true, runnersConnected: Number(row?.connected) };
  };
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    log.warn({ err: error }, 'the database does not answer');
    return AWAY;
  } finally {
    cancel();
  }
}
