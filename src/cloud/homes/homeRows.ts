import type { HomeLogState, TakeoverPolicy } from '../../contract/schema/cloud/home.ts';
import type { Sql, TransactionSql } from '../database/database.ts';
import type { Ahead } from './noteAhead.ts';

/** The log of a home, as it is stored. */
export interface HomeRow {
  runnerId: string;
  teamId: string;
  homeId: string;
  logId: number;
  generation: number;
  claimedBy: string | null;
  head: number;
  hash: string;
  state: HomeLogState;
  /** null = as the kind of the runner has it. */
  policy: TakeoverPolicy | null;
  takeoverMs: number;
  storeVersion: number;
  entriesAfter: number;
  /** Hash of the log there. */
  afterHash: string;
  checkpointN: number | null;
  committedAt: Date | null;
  ahead: Ahead | null;
  askedGeneration: number | null;
}

export const selectHomes = (sql: Sql | TransactionSql) => sql`
  select homes.runner_id as "runnerId", homes.team_id as "teamId", homes.home_id as "homeId", homes.log_id as "logId",
    homes.generation, homes.claimed_by as "claimedBy", homes.head, homes.hash, homes.state, homes.policy,
    homes.takeover_ms as "takeoverMs", homes.store_version as "storeVersion", homes.entries_after as "entriesAfter",
    homes.after_hash as "afterHash",    homes.checkpoint_n as "checkpointN", homes.committed_at as "committedAt", homes.ahead,
    homes.asked_generation as "askedGeneration"
  from homes`;

/** The log of a runner's home; null = the control plane has none. */
export async function findHome(
  sql: Sql | TransactionSql,
  runnerId: string,
): Promise<HomeRow | null> {
  const [row] = await sql<HomeRow[]>`${selectHomes(sql)} where homes.runner_id = ${runnerId}`;
  return row ?? null;
}

/** The same, locked until the end of the transaction. */
export async function lockHome(sql: TransactionSql, runnerId: string): Promise<HomeRow | null> {
  const [row] = await sql<HomeRow[]>`
    ${selectHomes(sql)} where homes.runner_id = ${runnerId} for no key update`;
  return row ?? null;
}

/** A person's machine keeps its jobs while they are in a session; a runner of the pool does not come back. */
export const resolvePolicy = (
  { policy }: Pick<HomeRow, 'policy'>,
  ownerId: string | null,
): TakeoverPolicy => policy ?? (ownerId === null ? 'auto' : 'parked');
