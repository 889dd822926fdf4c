import { hasRole, parseTeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { TransactionSql } from '../../database/database.ts';
import type { KnownRunner, RunnerDirectory } from '../../runners/runnerDirectory.ts';
import type { StoreContext } from '../../server/cloudContext.ts';
import { type Candidate, type Choice, chooseRunner, type RunnerDemand } from './chooseRunner.ts';

/** How long a job that was placed counts as one that the runner has not reported yet, ms. */
const UNREPORTED_MS = 15_000;
/** How long a job that was placed counts as running although the list does not have it, ms. */
const UNLISTED_MS = 60_000;
/** A beat is stored at most this long after it came, ms. */
const BEAT_SLACK_MS = 2_000;
/** When another node takes a dispatch that was sent and is not answered, ms. */
export const CLAIM_MS = 5_000;
/** Names the lock under which runners are chosen for a team. */
const CHOICE_LOCK = 0x73_76_63_64;
/** Most dispatches of a team that wait. */
export const MOST_WAITING = 10_000;

interface Waiting {
  id: string;
  created_by: string;
  role: string | null;
  labels: string[];
  wanted_runner: string | null;
  reason: string;
  refused_by: string[];
  repo: string | null;
  forge: string | null;
  executor: string | null;
}

/** Waiting dispatches, the oldest first; what they ask for is read from their bodies. */
const readWaiting = (sql: TransactionSql, teamId: string) => sql<Waiting[]>`
  select dispatches.id, created_by, members.role, to_jsonb(labels) as labels, wanted_runner, reason,
    coalesce((select jsonb_agg(one -> 'runnerId') from jsonb_array_elements(refusals) one), '[]') as refused_by,
    body -> 'params' ->> 'repoSlug' as repo, body -> 'params' ->> 'gitProvider' as forge,
    body -> 'params' ->> 'executor' as executor
  from dispatches
  left join members on members.team_id = dispatches.team_id and members.user_id = dispatches.created_by
  where dispatches.team_id = ${teamId} and state = 'waiting'
  order by dispatches.created_at, dispatches.id limit ${MOST_WAITING}`;

/** What each runner is known to do beside its beats. */
async function readCandidates(
  sql: TransactionSql,
  teamId: string,
  runners: readonly KnownRunner[],
  now: number,
): Promise<(Candidate & { homeId: string })[]> {
  const rows = await sql`
    select runners.id, runners.home_id, coalesce(runners.protocol, 0) as protocol,
      coalesce(runners.hello -> 'repositories', '[]') as repositories,
      (select max(sent_at) from dispatches where dispatches.runner_id = runners.id) as last_sent_at,
      (select count(*) from dispatches where dispatches.runner_id = runners.id and (state = 'sent'
        or (state = 'placed' and ended_at > ${new Date(now - UNREPORTED_MS)}
          and ended_at > coalesce(sessions.beat_at, ended_at) - ${BEAT_SLACK_MS} * interval '1 ms'))) as taken
    from runners left join runner_sessions sessions on sessions.runner_id = runners.id
    where runners.team_id = ${teamId} and runners.revoked_at is null`;
  const rowsById = new Map(rows.map((row) => [String(row.id), row]));
  return runners.flatMap((runner) => {
    const row = rowsById.get(runner.id);
    if (row === undefined) return [];
    const { home_id, protocol, repositories, taken, last_sent_at } = row;
    const lastSentAt = last_sent_at === null ? 0 : last_sent_at.getTime();
    const usage = { taken: Number(taken), lastSentAt };
    return [{ ...runner, homeId: home_id, protocol, repositories, ...usage }];
  });
}

/** Jobs of dispatches that are not over, by person; null = the team has no limit. */
async function readRunning(
  sql: TransactionSql,
  teamId: string,
  now: number,
): Promise<{ most: number; running: Map<string, number> } | null> {
  const [team] =
    await sql`select settings -> 'maxRunningPerPerson' as most from teams where id = ${teamId}`;
  if (typeof team?.most !== 'number') return null;
  const rows = await sql`
    select created_by, count(*) as running from dispatches
    left join jobs on jobs.team_id = dispatches.team_id and jobs.runner_id = dispatches.runner_id
      and jobs.job_id = dispatches.job_id
    where dispatches.team_id = ${teamId} and (dispatches.state = 'sent' or (dispatches.state = 'placed' and case when jobs.job_id is null
      then ended_at > ${new Date(now - UNLISTED_MS)} else (jobs.summary ->> 'ended') is distinct from 'true' end))
    group by created_by`;
  return {
    most: team.most,
    running: new Map(rows.map((row) => [String(row.created_by), Number(row.running)])),
  };
}

const toWanted = (one: Waiting): RunnerDemand => ({
  createdBy: one.created_by,
  labels: one.labels,
  runner: one.wanted_runner,
  repoSlug: one.repo,
  forge: one.forge,
  executor: one.executor,
  refusedBy: one.refused_by,
});

/**
 * Chooses runners for the dispatches of a team that wait, the oldest first, and marks those as sent that have one; gives
 * their ids. What is marked is committed before a request goes. One node at a time does it for a team: free slots are
 * counted once.
 */
export async function placeDispatches(
  { database, clock }: StoreContext,
  directory: Pick<RunnerDirectory, 'list'>,
  teamId: string,
): Promise<string[]> {
  // Before the transaction: a second connection within one could wait for the first for ever.
  const runners = await directory.list(teamId);
  return database.transaction(async (sql) => {
    await sql`select pg_advisory_xact_lock(${CHOICE_LOCK}, hashtext(${teamId}))`;
    const waiting = await readWaiting(sql, teamId);
    if (waiting.length === 0) return [];
    const now = clock.now();
    const candidates = await readCandidates(sql, teamId, runners, now);
    const limit = await readRunning(sql, teamId, now);
    const sentIds: string[] = [];
    const waits = new Map<string, Choice>();
    for (const one of waiting) {
      const { id, created_by: by } = one;
      const role = parseTeamRole(one.role);
      if (role === null || !hasRole(role, 'member')) {
        await endWaiting(sql, id, 'cancelled', 'creator-left', new Date(now));
        continue;
      }
      const request = toWanted(one);
      const same = JSON.stringify({ ...request, repoSlug: null });
      const choice = waits.get(same) ?? chooseRunner(request, candidates);
      // Slots only become fewer: what waits for something now does so for the rest of this pass.
      if (choice.kind === 'wait') waits.set(same, choice);
      const running = limit?.running.get(by) ?? 0;
      if (choice.kind === 'refused') await endWaiting(sql, id, 'refused', 'refused', new Date(now));
      else if (choice.kind === 'wait')
        await recordWaitReason(sql, one, choice.reason, new Date(now));
      else if (limit !== null && running >= limit.most)
        await recordWaitReason(sql, one, 'person-limit', new Date(now));
      else {
        const chosenRunner = candidates.find((candidate) => candidate.id === choice.runnerId);
        if (chosenRunner === undefined) continue;
        const { count } = await sql`
          update dispatches set state = 'sent', runner_id = ${chosenRunner.id}, home_id = ${chosenRunner.homeId},
            sent_at = ${new Date(now)}, next_at = ${new Date(now + CLAIM_MS)}, attempts = 0, reason = 'sent',
            reason_since = ${new Date(now)}
          where id = ${id} and state = 'waiting'`;
        if (count === 0) continue;
        chosenRunner.taken += 1;
        chosenRunner.lastSentAt = now;
        limit?.running.set(by, running + 1);
        sentIds.push(id);
      }
    }
    return sentIds;
  });
}

const endWaiting = (
  sql: TransactionSql,
  id: string,
  state: 'cancelled' | 'refused',
  reason: string,
  now: Date,
) => sql`
  update dispatches set state = ${state}, reason = ${reason}, reason_since = ${now}, ended_at = ${now}
  where id = ${id} and state = 'waiting'`;

/** A reason that stays the same keeps its time, and costs no write. */
async function recordWaitReason(
  sql: TransactionSql,
  { id, reason: knownReason }: Waiting,
  reason: string,
  now: Date,
): Promise<void> {
  if (knownReason === reason) return;
  await sql`
    update dispatches set reason = ${reason}, reason_since = ${now} where id = ${id} and state = 'waiting'`;
}
