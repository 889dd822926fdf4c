import type { Frame } from '../../contract/channel/frames.ts';
import type { TransactionSql } from '../database/database.ts';
import type { ConnectedRunner } from '../runners/runnerDirectory.ts';
import type { WebhookSocket } from '../runners/webhookLinks.ts';
import type { CloudContext, StoreContext } from '../server/cloudContext.ts';

type Claim = Pick<Frame<'claim'>, 'rule' | 'hash' | 'pluginId' | 'subject'>;
type Answer = Pick<Frame<'claimAnswer'>, 'granted' | 'reason'>;

/** How long a job of a claim counts as running while the list of jobs does not have it yet, ms. */
const UNLISTED_MS = 10 * 60_000;

/** Another runner that works on the subject, or is about to; null = none does. */
async function findWorker(
  sql: TransactionSql,
  { teamId, runnerId }: ConnectedRunner,
  { rule, hash, subject }: Claim,
  now: number,
): Promise<{ name: string; jobId: string | null } | null> {
  if (subject === null) return null;
  const [row] = await sql`
    select runners.name, claims.job_id from webhook_claims claims
    join runners on runners.id = claims.runner_id and runners.revoked_at is null
    left join jobs on jobs.team_id = claims.team_id and jobs.runner_id = claims.runner_id and jobs.job_id = claims.job_id
    where claims.team_id = ${teamId} and claims.rule = ${rule} and claims.subject = ${subject}
      and claims.hash <> ${hash} and claims.runner_id <> ${runnerId}
      and (claims.state = 'held' or (claims.state = 'made' and case when jobs.job_id is null
        then claims.changed_at > ${new Date(now - UNLISTED_MS)}
        else not coalesce((jobs.summary ->> 'ended')::bool, false) end))
    limit 1`;
  return row === undefined ? null : { name: row.name, jobId: row.job_id };
}

/**
 * Decides whether a runner's rule may create the job of a delivery: the first that asks may, and it may again. Where the
 * rule makes one job at a time about a subject, no other runner may have one. A claim that was given back, or whose
 * runner was revoked, goes to the next one that asks.
 */
function askClaim(
  { database, clock }: StoreContext,
  runner: ConnectedRunner,
  claim: Claim,
): Promise<Answer> {
  const now = clock.now();
  const { teamId, runnerId } = runner;
  const { rule, hash, pluginId, subject } = claim;
  const runnerList = JSON.stringify([runnerId]);
  return database.confirm(() =>
    database.transaction(async (sql) => {
      // One question about a subject at a time: two runners with two deliveries must not both find no job.
      await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([teamId, rule, subject ?? hash])}, 0))`;
      const worker = await findWorker(sql, runner, claim, now);
      if (worker !== null) {
        const { name, jobId } = worker;
        const reason = `${jobId ?? 'a job that is being created'} on ${name} already works on ${subject}`;
        return { granted: false, reason };
      }
      await sql`
        insert into webhook_claims (team_id, rule, hash, plugin_id, subject, state, changed_at)
        values (${teamId}, ${rule}, ${hash}, ${pluginId}, ${subject}, 'open', ${new Date(now)})
        on conflict do nothing`;
      const [row] = await sql`
        select claims.state, claims.runner_id, runners.name, runners.revoked_at from webhook_claims claims
        left join runners on runners.id = claims.runner_id
        where claims.team_id = ${teamId} and claims.rule = ${rule} and claims.hash = ${hash}
        for update of claims`;
      const isFree =
        row?.state === 'open' ||
        (row?.state === 'held' && (row.runner_id === null || row.revoked_at !== null));
      if (row?.runner_id === runnerId && row.state !== 'expired' && !isFree)
        return { granted: true };
      if (!isFree) {
        await sql`
          update webhook_claims set asked = asked || ${runnerList}::text::jsonb
          where team_id = ${teamId} and rule = ${rule} and hash = ${hash} and not asked ? ${runnerId}`;
        const reason =
          row?.state === 'expired'
            ? 'no runner of the team has created its job within a day'
            : `the runner ${row?.name ?? 'that was removed'} creates its job`;
        return { granted: false, reason };
      }
      await sql`
        update webhook_claims set state = 'held', runner_id = ${runnerId}, reason = null,
          asked = asked - ${runnerId}, changed_at = ${new Date(now)}
        where team_id = ${teamId} and rule = ${rule} and hash = ${hash}`;
      return { granted: true };
    }),
  );
}

/** Answers a runner's question; where the database cannot say, the runner tries the delivery again. */
export async function answerClaim(
  context: CloudContext,
  runner: ConnectedRunner,
  claim: Frame<'claim'>,
  socket: Pick<WebhookSocket, 'send'>,
): Promise<void> {
  const { id } = claim;
  try {
    socket.send({ type: 'claimAnswer', id, ...(await askClaim(context, runner, claim)) });
  } catch (err) {
    context.log.warn({ err, runner: runner.runnerId }, 'a claim could not be decided');
    const reason = 'the control plane could not decide it';
    socket.send({ type: 'claimAnswer', id, granted: null, reason });
  }
}
