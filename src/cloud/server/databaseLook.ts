import type { CloudHealth } from '../../contract/schema/cloud/cloudHealth.ts';
import { readDurability } from '../database/readDurability.ts';
import type { CloudContext } from './cloudContext.ts';
import { getLeaseHorizon } from './nodeLease.ts';

/** How long one look answers all that ask, ms: `GET /health` needs no login. */
const LOOK_MS = 1_000;
/** Longest wait for the database, ms; then it counts as away. */
const LOOK_TIMEOUT_MS = 2_000;

export type DatabaseState = Pick<
  CloudHealth,
  'durability' | 'databaseReachable' | 'runnersConnected'
>;

const AWAY: DatabaseState = {
  durability: 'unknown',
  databaseReachable: false,
  runnersConnected: null,
};

/** Looks at the database, at most once a second however many ask. Never rejects. */
export function createDatabaseLook(context: CloudContext): () => Promise<DatabaseState> {
  const { clock } = context;
  let last: { at: number; look: Promise<DatabaseState> } | null = null;
  return () => {
    if (last === null || clock.now() - last.at >= LOOK_MS)
      last = { at: clock.now(), look: lookAtDatabase(context) };
    return last.look;
  };
}

async function lookAtDatabase({
  database: { look: sql },
  clock,
  log,
}: CloudContext): Promise<DatabaseState> {
  let cancel: () => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.at(clock.now() + LOOK_TIMEOUT_MS, () =>
      reject(new Error('The database has not answered in time.')),
    );
  });
  const ask = async (): Promise<DatabaseState> => {
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
