import type { TeamHome } from '../../contract/schema/cloud/home.ts';
import type { Sql } from '../database/database.ts';
import { type Adopter, chooseAdopter } from './chooseAdopter.ts';
import { findHome } from './homeRows.ts';
import { readAdopters, readHomes, type ReadHome } from './lostHomes.ts';
import { findCheckpoint, findHolder } from './readState.ts';

/** Most jobs of a home that are listed. */
const MOST_JOBS = 200;

/** Why no runner continues it; null = one does, or is asked at this moment. */
function explainWait(home: ReadHome, adopters: readonly Adopter[]): string | null {
  const choice = chooseAdopter(home, adopters);
  return choice.kind === 'wait' ? choice.reason : null;
}

async function toTeamHome(sql: Sql, read: ReadHome): Promise<TeamHome | null> {
  const { runnerId, teamId, homeId, name, state, policy, takeoverAt, isConnected } = read;
  const home = await findHome(sql, runnerId);
  if (home === null) return null;
  const continuedBy = await findHolder(sql, runnerId);
  const jobs = await sql`
    select job_id, title, summary ->> 'parked' is null and status <> 'queued' as is_in_session from jobs
    where team_id = ${teamId} and runner_id = ${runnerId} and (summary ->> 'ended') is distinct from 'true'
    order by created_at, job_id limit ${MOST_JOBS}`;
  const isContinued = continuedBy !== null && isConnected;
  const [session] = await sql`
    select coalesce(lost_at, connected_at) as since from runner_sessions where runner_id = ${runnerId}`;
  return {
    runner: {
      id: runnerId,
      name,
      awaySince: isConnected && continuedBy === null ? null : toIso(session?.since ?? null),
    },
    homeId,
    state,
    policy,
    head: home.head,
    committedAt: toIso(home.committedAt),
    checkpoint: await findCheckpoint(sql, home),
    continuedBy,
    wait: isContinued ? null : explainWait(read, await readAdopters(sql, teamId, runnerId)),
    takeoverAt: toIso(takeoverAt),
    jobs: jobs.map((job) => ({ id: job.job_id, title: job.title, isInSession: job.is_in_session })),
  };
}

const toIso = (time: Date | null): string | null => time?.toISOString() ?? null;

/** The homes of a team, by the names of their runners. */
export async function listHomes(sql: Sql, teamId: string): Promise<TeamHome[]> {
  const homes: TeamHome[] = [];
  for (const read of await readHomes(sql, teamId)) {
    const home = read.isRevoked ? null : await toTeamHome(sql, read);
    if (home !== null) homes.push(home);
  }
  return homes;
}
