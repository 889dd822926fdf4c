import type { Sql } from '../database/database.ts';
import type { Adopter, LostHome } from './chooseAdopter.ts';
import { resolvePolicy } from './homeRows.ts';
import type { Ahead } from './noteAhead.ts';
import { findTakeoverTime } from './takeoverTime.ts';

/** How long a runner is not asked again after it has refused a home, ms. */
export const REFUSED_MS = 5 * 60_000;
/**
 * Entries of this time before a loss, without rows of the list, may be of jobs that it does not have, ms: runners of the
 * version before send the rows a little later.
 */
const UNLISTED_MS = 5_000;
/** Share of the takeover window that a runner is left to come back before another one prepares. */
const PATIENCE_SHARE = 0.25;

/** A home with what is shown of it beside what decides. */
export interface ReadHome extends LostHome {
  teamId: string;
  homeId: string;
  name: string;
  ownerName: string | null;
  /** From when on another runner may claim it; null = not while it is connected. */
  takeoverAt: Date | null;
  now: Date;
}

interface HomeFacts {
  runner_id: string;
  team_id: string;
  home_id: string;
  name: string;
  owner_id: string | null;
  owner_name: string | null;
  state: LostHome['state'];
  policy: LostHome['policy'] | null;
  store_version: number;
  takeover_ms: number;
  ahead: Ahead | null;
  is_asked: boolean;
  is_revoked: boolean;
  is_offered: boolean;
  may_lack_jobs: boolean;
  executors: string[] | null;
  forges: string[] | null;
  now: Date;
  heard_at: Date | null;
  is_left: boolean;
  lease_end: Date | null;
  jobs: number;
  in_session: number;
}

/** A job at work: neither over, nor queued, nor waiting. */
const IS_OPEN = `(summary ->> 'ended') is distinct from 'true'`;
const IS_IN_SESSION = `summary ->> 'parked' is null and status <> 'queued'`;

/** Homes of a team, or of all teams those whose runner is not connected. */
export async function readHomes(sql: Sql, teamId: string | null): Promise<ReadHome[]> {
  const rows = await sql<HomeFacts[]>`
    select homes.runner_id, homes.team_id, homes.home_id, runners.name, runners.owner_id, users.name as owner_name,
      homes.state, homes.policy, homes.store_version, homes.takeover_ms, homes.ahead,
      homes.asked_generation is not distinct from homes.generation as is_asked,
      runners.revoked_at is not null as is_revoked,
      exists (select from adoptions where adoptions.runner_id = homes.runner_id and adoptions.state in ('offered', 'accepted'))
        as is_offered,
      -- a node of the version before has stored the newest entry, and left out its rows
      coalesce(greatest(homes.unlisted_at, case when homes.listed_n is distinct from homes.head then homes.committed_at end)
        > greatest(sessions.heard_at, homes.claimed_at) - ${UNLISTED_MS} * interval '1 ms', false) as may_lack_jobs,
      runners.hello -> 'executors' as executors, runners.hello -> 'forges' as forges,
      clock_timestamp() as now, greatest(sessions.heard_at, homes.claimed_at) as heard_at,
      sessions.runner_id is null or sessions.lost_at is not null as is_left, nodes.lease_end,
      coalesce(open.jobs, 0) as jobs, coalesce(open.in_session, 0) as in_session
    from homes
    join runners on runners.id = homes.runner_id
    left join users on users.id = runners.owner_id
    left join runner_sessions sessions on sessions.runner_id = homes.runner_id
    left join nodes on nodes.id = sessions.node_id
    left join lateral (
      select count(*) as jobs, count(*) filter (where ${sql.unsafe(IS_IN_SESSION)}) as in_session from jobs
      where jobs.team_id = homes.team_id and jobs.runner_id = homes.runner_id and ${sql.unsafe(IS_OPEN)}) open on true
    where ${
      teamId === null
        ? sql`(sessions.runner_id is null or sessions.lost_at is not null or nodes.lease_end is null
            or nodes.lease_end < clock_timestamp()) and runners.revoked_at is null`
        : sql`homes.team_id = ${teamId}`
    }
    order by runners.name, homes.runner_id`;
  return rows.map(toReadHome);
}

function toReadHome(row: HomeFacts): ReadHome {
  const { now, heard_at: heardAt } = row;
  const nodeEnd = row.is_left ? null : row.lease_end;
  const presence = { now, heardAt, nodeEnd, isConnected: nodeEnd !== null && nodeEnd > now };
  const lastMs = Math.max(heardAt?.getTime() ?? 0, nodeEnd?.getTime() ?? 0);
  return {
    runnerId: row.runner_id,
    teamId: row.team_id,
    homeId: row.home_id,
    name: row.name,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    state: row.state,
    policy: resolvePolicy(row, row.owner_id),
    storeVersion: row.store_version,
    isConnected: presence.isConnected,
    isRevoked: row.is_revoked,
    isAhead: row.ahead !== null && row.ahead.isRestored !== true,
    mayBeAhead: row.ahead?.isRestored === true,
    isAsked: row.is_asked,
    isOffered: row.is_offered,
    jobs: Number(row.jobs),
    jobsInSession: Number(row.in_session),
    // One that was given up, or continued by another runner, has sent its list.
    mayLackJobs: row.state === 'open' && row.may_lack_jobs,
    executors: row.executors ?? [],
    forges: row.forges ?? [],
    awayMs: now.getTime() - lastMs,
    patienceMs: row.takeover_ms * PATIENCE_SHARE,
    takeoverAt: findTakeoverTime(presence, row.takeover_ms),
    now,
  };
}

/** The runners of a team that may continue a home. */
export async function readAdopters(
  sql: Sql,
  teamId: string,
  homeRunnerId: string,
): Promise<Adopter[]> {
  const rows = await sql`
    select runners.id, runners.owner_id, runners.accept, coalesce(runners.store_version, 0) as store_version,
      runners.hello, sessions.beat, sessions.lost_at is null and nodes.lease_end > clock_timestamp() as is_connected,
      (select count(*) from adoptions where adopter_id = runners.id and state <> 'refused') as adopted,
      exists (select from adoptions where adopter_id = runners.id and runner_id = ${homeRunnerId} and state = 'refused'
        and changed_at > clock_timestamp() - ${REFUSED_MS} * interval '1 ms') as has_refused
    from runners
    left join runner_sessions sessions on sessions.runner_id = runners.id
    left join nodes on nodes.id = sessions.node_id
    where runners.team_id = ${teamId} and runners.revoked_at is null
      -- One whose own home another runner continues adopts none: its process is that runner's.
      and not exists (select from adoptions where adoptions.runner_id = runners.id and adoptions.state = 'running')`;
  return rows.map((row) => ({
    id: row.id,
    ownerId: row.owner_id,
    accept: row.accept,
    isConnected: row.is_connected === true,
    isRunning: row.beat?.state === 'running',
    storeVersion: row.store_version,
    adopted: Number(row.adopted),
    adopts: Number(row.hello?.adopts ?? 0),
    free: Number(row.beat?.free ?? 0),
    executors: row.hello?.executors ?? [],
    forges: row.hello?.forges ?? [],
    hasRefused: row.has_refused,
  }));
}
