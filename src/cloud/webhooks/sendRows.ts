import type { StoreContext } from '../server/cloudContext.ts';

/** Wait before a delivery that got no answer, or is to be sent later, is sent again, ms: the second time, and the longest. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** Longest wait for a runner's answer to a delivery, ms; then it is sent again. */
export const ANSWER_MS = 60_000;
/** Attempts up to which a delivery is sent as soon as its runner is back. */
const EAGER_ATTEMPTS = 3;

export interface DueDelivery {
  runnerId: string;
  n: number;
  /** '' = the delivery itself. */
  rule: string;
  attempts: number;
  teamId: string;
  pluginId: string;
  hash: string;
  headers: Uint8Array;
  body: Uint8Array;
  receivedAt: Date;
}

const planWait = (attempts: number): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(Math.max(0, attempts - 1), 12));

/**
 * The oldest delivery that is due for a runner; null = none is. No one else sends it within {@link ANSWER_MS}; should the
 * node or the runner die over it, it is due again after that.
 */
export async function takeDue(
  { database: { sql }, clock }: StoreContext,
  runnerId: string,
): Promise<DueDelivery | null> {
  const now = clock.now();
  const [row] = await sql`
    with due as (
      select runner_id, n, rule from webhook_sends
      where runner_id = ${runnerId} and next_at <= ${new Date(now)}
      order by n, rule limit 1 for update skip locked
    ), taken as (
      update webhook_sends set attempts = webhook_sends.attempts + 1,
        next_at = ${new Date(now + ANSWER_MS)}
      from due where webhook_sends.runner_id = due.runner_id and webhook_sends.n = due.n and webhook_sends.rule = due.rule
      returning webhook_sends.n, webhook_sends.rule, webhook_sends.attempts
    )
    select taken.n, taken.rule, taken.attempts, team_id, plugin_id, hash, headers, body, received_at
    from taken join webhook_deliveries on webhook_deliveries.n = taken.n`;
  if (row === undefined) return null;
  return {
    runnerId,
    n: Number(row.n),
    rule: row.rule,
    attempts: row.attempts,
    teamId: row.team_id,
    pluginId: row.plugin_id,
    hash: row.hash,
    headers: row.headers,
    body: row.body,
    receivedAt: row.received_at,
  };
}

/** The runner has committed it, or does not need it. */
export const forgetSend = (
  { database: { sql } }: StoreContext,
  { runnerId, n, rule }: Pick<DueDelivery, 'runnerId' | 'n' | 'rule'>,
) => sql`delete from webhook_sends where runner_id = ${runnerId} and n = ${n} and rule = ${rule}`;

/** The runner cannot take it now. Those after it are sent meanwhile. */
export const postponeSend = (
  { database: { sql }, clock }: StoreContext,
  { runnerId, n, rule, attempts }: DueDelivery,
  reason: string | null,
) => sql`
  update webhook_sends set next_at = ${new Date(clock.now() + planWait(attempts))}, problem = ${reason}
  where runner_id = ${runnerId} and n = ${n} and rule = ${rule}`;

/** It is not sent again, and shown until it is forgotten. */
export const refuseSend = (
  { database: { sql } }: StoreContext,
  { runnerId, n, rule }: DueDelivery,
  reason: string,
) => sql`
  update webhook_sends set next_at = null, problem = ${reason}
  where runner_id = ${runnerId} and n = ${n} and rule = ${rule}`;

/**
 * A runner is back: what it has not answered is sent again at once, except what has failed several times. One that ends
 * its runner each time does not hold up the others.
 */
export const makeDue = ({ database: { sql }, clock }: StoreContext, runnerId: string) => sql`
  update webhook_sends set next_at = ${new Date(clock.now())}
  where runner_id = ${runnerId} and attempts < ${EAGER_ATTEMPTS} and next_at > ${new Date(clock.now())}`;
