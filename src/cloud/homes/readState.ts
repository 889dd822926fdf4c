import type { HomeCheckpoint, HomeHolder, HomeState } from '../../contract/schema/cloud/home.ts';
import type { Sql } from '../database/database.ts';
import type { CallingRunner } from '../server/cloudCall.ts';
import { createNoHomeError } from './homeErrors.ts';
import { findHome, type HomeRow, resolvePolicy } from './homeRows.ts';
import { findTakeoverTime, readPresence } from './takeoverTime.ts';

/** The newest complete checkpoint of a log; null = it has none. */
export async function findCheckpoint(
  sql: Sql,
  { logId, checkpointN }: Pick<HomeRow, 'logId' | 'checkpointN'>,
): Promise<HomeCheckpoint | null> {
  if (checkpointN === null) return null;
  const [row] = await sql<HomeCheckpoint[]>`
    select n, hash, bytes, sha256, store_version as "storeVersion", parts from checkpoints
    where log_id = ${logId} and n = ${checkpointN}`;
  return row === undefined ? null : { ...row };
}

/** The runner that continues a home; null = none does. */
export async function findHolder(sql: Sql, runnerId: string): Promise<HomeHolder | null> {
  const [row] = await sql`
    select runners.id, runners.name, adoptions.changed_at
    from adoptions join runners on runners.id = adoptions.adopter_id
    where adoptions.runner_id = ${runnerId} and adoptions.state = 'running'`;
  return row === undefined
    ? null
    : { runner: row.id, name: row.name, since: row.changed_at.toISOString() };
}

/** Throws SvcError `not-found` where the control plane has no log of the home. */
export async function readState(
  sql: Sql,
  { runnerId, ownerId }: Pick<CallingRunner, 'runnerId' | 'ownerId'>,
): Promise<HomeState> {
  const home = await findHome(sql, runnerId);
  if (home === null) throw createNoHomeError();
  const presence = await readPresence(sql, runnerId);
  const until = findTakeoverTime(presence, home.takeoverMs);
  const { homeId, generation, head, hash, entriesAfter, storeVersion, state, takeoverMs } = home;
  return {
    homeId,
    runnerId,
    generation,
    head,
    hash,
    entriesAfter,
    storeVersion,
    state,
    policy: resolvePolicy(home, ownerId),
    takeoverMs,
    checkpoint: await findCheckpoint(sql, home),
    holder: await findHolder(sql, runnerId),
    leaseUntil: until === null || until <= presence.now ? null : until.toISOString(),
  };
}
