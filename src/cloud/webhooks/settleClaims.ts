import type { StoreContext } from '../server/cloudContext.ts';
import type { TransactionSql } from '../database/database.ts';
import type { DueDelivery } from './sendRows.ts';

/** How long a claim that was given back waits for a runner, and one that is held for word of its job, ms. */
export const CLAIM_MS = 24 * 3_600_000;
/** Longest reason that is kept, characters. */
const MAX_REASON_CHARS = 1_000;
const NO_REASON = 'The runner has not created the job, and gives no reason.';

/** Sends the delivery again, for its rule alone, to the runners that have asked for the claim. */
const offerClaims = (sql: TransactionSql, now: Date) => sql`
  insert into webhook_sends (runner_id, n, rule, next_at)
  select runners.id, deliveries.n, claims.rule, ${now}::timestamptz
  from webhook_claims claims
  join webhook_deliveries deliveries on deliveries.team_id = claims.team_id
    and deliveries.plugin_id = claims.plugin_id and deliveries.hash = claims.hash
  join runners on claims.asked ? runners.id and runners.revoked_at is null
  where claims.state = 'open' and claims.changed_at = ${now}
  on conflict (runner_id, n, rule) do update set next_at = excluded.next_at, attempts = 0, problem = null`;

/**
 * Writes down what a runner's rule did with a delivery that it has taken: its job, or that it created none and gives the
 * claim back. Resolves with whether others may now create it.
 */
export function settleClaims(
  { database, clock }: StoreContext,
  { runnerId, teamId, hash, rule }: DueDelivery,
  { jobId, reason }: { jobId: string | null; reason: string | null },
): Promise<boolean> {
  const now = new Date(clock.now());
  return database.transaction(async (sql) => {
    const settledRows = await sql`
      update webhook_claims set changed_at = ${now}, job_id = ${jobId},
        state = ${jobId === null ? 'open' : 'made'},
        runner_id = case when ${jobId}::text is null then null else runner_id end,
        reason = ${jobId === null ? (reason ?? NO_REASON).slice(0, MAX_REASON_CHARS) : null}
      where team_id = ${teamId} and hash = ${hash} and runner_id = ${runnerId}
        and (state = 'held' or (state = 'expired' and ${jobId}::text is not null))
        and (${rule} = '' or rule = ${rule})`;
    if (jobId !== null || settledRows.count === 0) return false;
    const offeredClaims = await offerClaims(sql, now);
    return offeredClaims.count > 0;
  });
}

/** Claims of runners that were revoked before they said whether the job exists; resolves with whether others may now create it. */
export function returnClaimsOfRevoked({ database, clock }: StoreContext): Promise<boolean> {
  const now = new Date(clock.now());
  return database.transaction(async (sql) => {
    const returnedClaims = await sql`
      update webhook_claims claims set state = 'open', runner_id = null, changed_at = ${now},
        reason = 'The runner ' || runners.name || ' was removed before it created the job.'
      from runners where runners.id = claims.runner_id and runners.revoked_at is not null and claims.state = 'held'`;
    return returnedClaims.count > 0 && (await offerClaims(sql, now)).count > 0;
  });
}

/**
 * Claims that no runner has taken for a day are given up, and those whose runner has not reported the outcome for a
 * day: it may be gone. Should it have created the job, its report counts whenever it comes.
 */
export const expireClaims = ({ database: { sql }, clock }: StoreContext) => sql`
  update webhook_claims claims set state = 'expired', changed_at = ${new Date(clock.now())},
    reason = case when state = 'open' then reason else
      'The runner ' || (select name from runners where runners.id = claims.runner_id)
        || ' has not reported within a day whether it created the job.' end
  where state in ('open', 'held') and changed_at < ${new Date(clock.now() - CLAIM_MS)}`;
