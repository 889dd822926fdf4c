import { toTextArray } from './toTextArray.ts';
import type { JobsPlace, ReceivedFrame } from '../../channel/frames.ts';
import type { Sql, TransactionSql } from '../database/database.ts';

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
}

/** The runner of a token, unless it was revoked or its team is gone. */
export async function findRunnerByToken(sql: Sql, hash: string): Promise<RunnerRow | null> {
  const [row] = await sql`
    select id, team_id, owner_id, home_id, token_hash, token_at from runners
    where (token_hash = ${hash} or previous_hash = ${hash}) and revoked_at is null`;
  if (row === undefined) return null;
  return {
    id: row.id,
    teamId: row.team_id,
    ownerId: row.owner_id,
    homeId: row.home_id,
    tokenHash: hash,
    tokenAt: row.token_at,
    isOldToken: row.token_hash !== hash,
  };
}

/** The newest token is in use: the one before is no longer valid. */
export const endPreviousToken = (sql: Sql, { id, tokenHash }: RunnerRow) =>
  sql`update runners set previous_hash = null where id = ${id} and token_hash = ${tokenHash} and previous_hash is not null`;

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

/** Writes what a hello says, and that the runner is connected here. null = it was revoked meanwhile. */
export async function enterSession(
  sql: TransactionSql,
  { runnerId, sessionId, nodeId }: { runnerId: string; sessionId: string; nodeId: string },
  hello: ReceivedFrame<'hello'>,
  now: Date,
): Promise<WelcomeFacts | null> {
  const { name, labels, accept, program, protocol, store, homeId } = hello;
  const { slots, free = 0, executors, forges, repositories, instance, state } = hello;
  const said = { slots, executors, forges, repositories, instance };
  const [row] = await sql`
    update runners set name = ${name}, labels = ${toTextArray(sql, labels)}, accept = ${accept}, home_id = ${homeId},
      program_version = ${program}, protocol = ${protocol}, store_version = ${store},
      hello = ${sql.json(said)}, seen_at = ${now}
    where id = ${runnerId} and revoked_at is null
    returning team_id, jobs_place,
      (select json_build_object('id', id, 'slug', slug, 'name', name) from teams where id = runners.team_id) as team`;
  if (row === undefined) return null;
  const beat = { free, slots, state };
  await sql`
    insert into runner_sessions (runner_id, team_id, node_id, session_id, connected_at, beat, beat_at, lost_at)
    values (${runnerId}, ${row.team_id}, ${nodeId}, ${sessionId}, ${now}, ${sql.json(beat)}, ${now}, null)
    on conflict (runner_id) do update set node_id = excluded.node_id, session_id = excluded.session_id,
      connected_at = excluded.connected_at, beat = excluded.beat, beat_at = excluded.beat_at, lost_at = null`;
  return { team: row.team, jobs: row.jobs_place };
}

/** Whether a runner has a session that has not ended, on any node. */
export async function hasSession(sql: Sql, runnerId: string): Promise<boolean> {
  const [row] = await sql`
    select from runner_sessions where runner_id = ${runnerId} and lost_at is null`;
  return row !== undefined;
}

/** The session has ended; one that has replaced it stays. */
export const leaveSession = (sql: Sql, runnerId: string, sessionId: string, now: Date) =>
  sql`update runner_sessions set lost_at = ${now} where runner_id = ${runnerId} and session_id = ${sessionId} and lost_at is null`;

export const saveJobsPlace = (sql: Sql, runnerId: string, place: JobsPlace) =>
  sql`update runners set jobs_place = ${sql.json({ ...place })} where id = ${runnerId}`;

export interface BeatRow {
  sessionId: string;
  beat: { free: number; slots: number; state: string };
}

/** Many beats at once: each changes one row. */
export const saveBeats = (sql: Sql, beats: readonly BeatRow[], now: Date) =>
  sql`
    update runner_sessions set beat = given.beat, beat_at = ${now}
    from (select * from jsonb_to_recordset(${sql.json(beats.map(({ sessionId, beat }) => ({ session_id: sessionId, beat: { ...beat } })))})
      as one (session_id text, beat jsonb)) given
    where runner_sessions.session_id = given.session_id`;

/** Of sessions of this node those that must end, and why. */
export async function findEndedSessions(
  sql: Sql,
  sessions: readonly { runnerId: string; sessionId: string; tokenHash: string }[],
): Promise<{ sessionId: string; isRevoked: boolean; instance: string | null }[]> {
  if (sessions.length === 0) return [];
  const given = sessions.map(({ runnerId, sessionId, tokenHash }) => ({
    runner_id: runnerId,
    session_id: sessionId,
    token_hash: tokenHash,
  }));
  const rows = await sql`
    select given.session_id, runners.hello ->> 'instance' as instance,
      (runners.id is null or runners.revoked_at is not null
        or given.token_hash <> all (array_remove(array[runners.token_hash, runners.previous_hash], null))) as is_revoked
    from jsonb_to_recordset(${sql.json(given)}) as given (runner_id text, session_id text, token_hash text)
    left join runners on runners.id = given.runner_id
    left join runner_sessions on runner_sessions.session_id = given.session_id and runner_sessions.runner_id = given.runner_id
    where runners.id is null or runners.revoked_at is not null or runner_sessions.runner_id is null
      or given.token_hash <> all (array_remove(array[runners.token_hash, runners.previous_hash], null))`;
  return rows.map((row) => ({
    sessionId: row.session_id,
    isRevoked: row.is_revoked,
    instance: row.instance,
  }));
}
