import { toTextArray } from './toTextArray.ts';
import type { JobsPlace, ReceivedFrame } from '../../contract/channel/frames.ts';
import type { Sql, TransactionSql } from '../database/database.ts';
import type { CloudObserver } from '../server/metrics/cloudObserver.ts';
import { dropSecretLabels } from '../server/refuseSecrets.ts';

/** Another runner that continues the home of one. */
export interface Holder {
  runnerId: string;
  name: string;
  since: Date;
}

/** What is known of a runner when it connects. */
export interface RunnerRow {
  id: string;
  teamId: string;
  ownerId: string | null;
  homeId: string;
  tokenHash: string;
  tokenAt: Date;
  /** It has connected with the token before the newest one. */
  isOldToken: boolean;
  /** The runner whose process this is, which continues the home or prepares to; null = the home's own. */
  adoption: { adopterId: string; isRunning: boolean } | null;
  /** The runner that continues the home; null = none does, or it is lost itself. */
  holder: Holder | null;
}

/** Whether no process of the home can act any more: with its runner's row joined as `runners`. */
const isHomeSilent = (sql: Sql | TransactionSql) => sql`
  exists (select from homes join runner_sessions sessions on sessions.runner_id = homes.runner_id
    left join nodes on nodes.id = sessions.node_id
    where homes.runner_id = runners.id
      and greatest(sessions.heard_at, homes.claimed_at, case when sessions.lost_at is null then nodes.lease_end end)
        < clock_timestamp() - homes.takeover_ms * interval '1 ms')`;

/** The runner of a token, unless it or the one that continues its home was revoked, or its team is gone. */
export async function findRunnerByToken(
  sql: Sql | TransactionSql,
  hash: string,
): Promise<RunnerRow | null> {
  const [row] = await sql`
    select runners.id, runners.team_id, runners.owner_id, runners.home_id, runners.token_hash, runners.token_at,
      mine.adopter_id, mine.state as adoption_state, holder.id as holder_id, holder.name as holder_name,
      running.changed_at as held_since
    from runners
    left join adoptions mine on mine.token_hash = ${hash} and mine.runner_id = runners.id
    left join runners adopter on adopter.id = mine.adopter_id
    left join adoptions running on running.runner_id = runners.id and running.state = 'running'
      and not ${isHomeSilent(sql)}
    left join runners holder on holder.id = running.adopter_id
    where runners.id in (select id from runners where token_hash = ${hash}
        union all select id from runners where previous_hash = ${hash}
        union all select runner_id from adoptions where token_hash = ${hash} and state <> 'refused')
      and runners.revoked_at is null and adopter.revoked_at is null`;
  if (row === undefined) return null;
  return {
    id: row.id,
    teamId: row.team_id,
    ownerId: row.owner_id,
    homeId: row.home_id,
    tokenHash: hash,
    tokenAt: row.token_at,
    isOldToken: row.adopter_id === null && row.token_hash !== hash,
    adoption:
      row.adopter_id === null
        ? null
        : { adopterId: row.adopter_id, isRunning: row.adoption_state === 'running' },
    holder:
      row.holder_id === null
        ? null
        : { runnerId: row.holder_id, name: row.holder_name, since: row.held_since },
  };
}

/** Another token; the one that the runner has now stays valid until the new one is used. false = it was paired again. */
export async function replaceToken(
  sql: Sql,
  runnerId: string,
  { used, next, at }: { used: string; next: string; at: Date },
): Promise<boolean> {
  const { count } = await sql`
    update runners set token_hash = ${next}, previous_hash = ${used}, token_at = ${at}
    where id = ${runnerId} and (token_hash = ${used} or previous_hash = ${used}) and revoked_at is null`;
  return count === 1;
}

export interface WelcomeFacts {
  team: { id: string; slug: string; name: string };
  jobs: JobsPlace | null;
}

interface EnteringSession {
  runnerId: string;
  sessionId: string;
  nodeId: string;
  tokenHash: string;
  /** Another runner's process, which continues the home: what the lost runner said of itself stays. */
  isAdopter: boolean;
  observer: CloudObserver;
}

/**
 * Writes what a hello says, and that the runner is connected here; where it uses its newest token, the one before is no
 * longer valid. One statement: after the end of a node hundreds of runners come at once. null = it was revoked meanwhile.
 */
export async function enterSession(
  sql: TransactionSql,
  { runnerId, sessionId, nodeId, tokenHash, isAdopter, observer }: EnteringSession,
  hello: ReceivedFrame<'hello'>,
  now: Date,
): Promise<WelcomeFacts | null> {
  const labels = dropSecretLabels(observer, hello.labels);
  const { name, accept, program, protocol, store, homeId } = hello;
  const { slots, free = 0, executors, forges, repositories, instance, state, adopts = 0 } = hello;
  // As text, since manifests may have any members.
  const report = JSON.stringify({
    slots,
    executors,
    forges,
    repositories,
    instance,
    adopts,
    webhooks: hello.webhooks ?? [],
  });
  const beat = { free, slots, state };
  const [row] = await sql`
    with entered as (
      update runners set seen_at = ${now}, protocol = ${protocol}, accept = ${isAdopter ? 'none' : accept},
        previous_hash = case when token_hash = ${tokenHash} then null else previous_hash end
        ${
          isAdopter
            ? sql``
            : sql`, name = ${name}, labels = ${toTextArray(sql, labels)}, home_id = ${homeId},
                program_version = ${program}, store_version = ${store}, hello = ${report}::text::jsonb`
        }
      where id = ${runnerId} and revoked_at is null
      returning id, team_id, jobs_place
    ), connected as (
      insert into runner_sessions (runner_id, team_id, node_id, session_id, connected_at, beat, beat_at, lost_at, heard_at)
      select id, team_id, ${nodeId}::text, ${sessionId}::text, ${now}::timestamptz, ${sql.json(beat)}::jsonb,
        ${now}::timestamptz, null::timestamptz, clock_timestamp()
      from entered
      on conflict (runner_id) do update set node_id = excluded.node_id, session_id = excluded.session_id,
        connected_at = excluded.connected_at, beat = excluded.beat, beat_at = excluded.beat_at, lost_at = null,
        heard_at = excluded.heard_at
    )
    select entered.jobs_place, json_build_object('id', teams.id, 'slug', teams.slug, 'name', teams.name) as team
    from entered join teams on teams.id = entered.team_id`;
  return row === undefined ? null : { team: row.team, jobs: row.jobs_place };
}

/** Whether a runner has a session that has not ended, on any node. */
export async function hasSession(sql: Sql, runnerId: string): Promise<boolean> {
  const [row] = await sql`
    select from runner_sessions where runner_id = ${runnerId} and lost_at is null`;
  return row !== undefined;
}

/**
 * The session has ended; one that has replaced it stays. `silentMs`: how long nothing had come, so that the time from
 * which another runner may take over counts from the last frame.
 */
export const leaveSession = (
  sql: Sql,
  runnerId: string,
  { sessionId, now, silentMs }: { sessionId: string; now: Date; silentMs: number },
) =>
  sql`update runner_sessions set lost_at = ${now},
      heard_at = clock_timestamp() - ${Math.max(0, Math.floor(silentMs))} * interval '1 ms'
    where runner_id = ${runnerId} and session_id = ${sessionId} and lost_at is null`;

export const saveJobsPlace = (sql: Sql, runnerId: string, place: JobsPlace) =>
  sql`update runners set jobs_place = ${sql.json({ ...place })} where id = ${runnerId}`;

export interface BeatRow {
  sessionId: string;
  beat: { free: number; slots: number; state: string };
}

/** Many beats at once: each changes one row. */
export const saveBeats = (sql: Sql, beats: readonly BeatRow[], now: Date) =>
  sql`
    update runner_sessions set beat = given.beat, beat_at = ${now}, heard_at = clock_timestamp()
    from (select * from jsonb_to_recordset(${sql.json(beats.map(({ sessionId, beat }) => ({ session_id: sessionId, beat: { ...beat } })))})
      as one (session_id text, beat jsonb)) given
    where runner_sessions.session_id = given.session_id`;

export interface EndedSession {
  sessionId: string;
  isRevoked: boolean;
  /** Name of the runner that continues the home instead; null = none does. */
  holder: string | null;
  /** The process that has connected since. */
  instance: string | null;
}

/**
 * Sessions that PostgreSQL counts as connected to this node, and are not: their end could not be stored. Those that have
 * just begun are left alone.
 */
export const endForgottenSessions = (
  sql: Sql,
  nodeId: string,
  open: readonly string[],
  { now, startedBefore }: { now: Date; startedBefore: Date },
) => sql`
  update runner_sessions set lost_at = ${now}, heard_at = clock_timestamp()
  where node_id = ${nodeId} and lost_at is null and connected_at < ${startedBefore}
    and session_id not in (select jsonb_array_elements_text(${JSON.stringify(open)}::text::jsonb))`;

/** Of sessions of this node those that must end, and why. */
export async function findEndedSessions(
  sql: Sql,
  sessions: readonly { runnerId: string; sessionId: string; tokenHash: string }[],
): Promise<EndedSession[]> {
  if (sessions.length === 0) return [];
  const seenSessions = sessions.map(({ runnerId, sessionId, tokenHash }) => ({
    runner_id: runnerId,
    session_id: sessionId,
    token_hash: tokenHash,
  }));
  const rows = await sql`
    select given.session_id, runners.hello ->> 'instance' as instance, holder.name as holder,
      (runners.id is null or runners.revoked_at is not null or adopter.revoked_at is not null
        or (mine.token_hash is null
          and given.token_hash <> all (array_remove(array[runners.token_hash, runners.previous_hash], null))))
        as is_revoked
    from jsonb_to_recordset(${sql.json(seenSessions)}) as given (runner_id text, session_id text, token_hash text)
    left join runners on runners.id = given.runner_id
    left join runner_sessions on runner_sessions.session_id = given.session_id and runner_sessions.runner_id = given.runner_id
    left join adoptions running on running.runner_id = given.runner_id and running.state = 'running'
    left join adoptions mine on mine.token_hash = given.token_hash and mine.state = 'running'
    left join runners adopter on adopter.id = mine.adopter_id
    left join runners holder on holder.id = running.adopter_id and running.token_hash <> given.token_hash
    where runners.id is null or runners.revoked_at is not null or adopter.revoked_at is not null
      or runner_sessions.runner_id is null or holder.id is not null
      or (mine.token_hash is null
        and given.token_hash <> all (array_remove(array[runners.token_hash, runners.previous_hash], null)))`;
  return rows.map((row) => ({
    sessionId: row.session_id,
    isRevoked: row.is_revoked,
    holder: row.holder,
    instance: row.instance,
  }));
}
