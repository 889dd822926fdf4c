import { SvcError } from '../../../base/errors/errors.ts';
import { parseTeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import type { RunnerDirectory } from '../../runners/runnerDirectory.ts';
import { formatStoredJson } from '../../server/formatStoredJson.ts';
import { type Answer, readAnswer } from './readAnswer.ts';
import type { DispatchRow } from './dispatchRow.ts';

export interface SendParts {
  context: Pick<CloudContext, 'database' | 'clock' | 'log' | 'observer'>;
  directory: Pick<RunnerDirectory, 'ask'>;
}

/** Longest wait for a runner's answer, ms; then the request is made again. */
const ANSWER_MS = 60_000;
const SECOND_MS = 1_000;
/** Waits between two requests of one dispatch, ms: the first, and the longest. */
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;

/** The runner of a dispatch as it is now: another home must not be asked, since it does not know the request. */
async function findHome(
  { database: { sql } }: SendParts['context'],
  { runner_id, home_id, team_id, created_by }: DispatchRow,
): Promise<{ runnerId: string; name: string; role: string | null } | null> {
  if (runner_id === null || home_id === null) return null;
  const [row] = await sql`
    select runners.name, members.role from runners
    left join members on members.team_id = ${team_id} and members.user_id = ${created_by}
    where runners.id = ${runner_id} and runners.home_id = ${home_id} and runners.revoked_at is null`;
  return row === undefined ? null : { runnerId: runner_id, name: row.name, role: row.role };
}

/**
 * Makes the request of a dispatch that was sent, once, and stores what it led to. The id of the dispatch is the
 * request's Idempotency-Key: a runner that has made the job answers with it again.
 */
export async function sendDispatch(
  { context, directory }: SendParts,
  row: DispatchRow,
  stopping: AbortSignal,
): Promise<void> {
  const home = await findHome(context, row);
  if (home === null) return postpone(context, row);
  const { runnerId, name, role } = home;
  let answer: Answer;
  try {
    const reply = await directory.ask(runnerId, {
      method: 'POST',
      path: '/jobs',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': row.id,
      },
      // The same bytes each time: the runner compares them.
      body: new TextEncoder().encode(JSON.stringify(row.body)),
      person: {
        userId: row.created_by,
        name: row.creator_name,
        // It was allowed when it was made; a repeat is the same request.
        role: parseTeamRole(role) ?? 'member',
      },
      signal: AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_MS)]),
    });
    answer = await readAnswer(reply);
  } catch (error) {
    if (!(error instanceof SvcError) && !stopping.aborted)
      context.log.warn({ err: error, dispatch: row.id }, 'a dispatch got no answer');
    return postpone(context, row);
  }
  if (answer.kind === 'made') return storeMade(context, row, answer.job);
  if (answer.kind === 'refused') {
    const { kind: _, ...refusal } = answer;
    return storeRefusal(context, row, { runnerId, runnerName: name, ...refusal });
  }
  return postpone(context, row);
}

const isOfSameSending = (
  { id, runner_id, home_id }: DispatchRow,
  sql: SendParts['context']['database']['sql'],
) => sql`id = ${id} and runner_id = ${runner_id} and home_id = ${home_id}`;

/** The same home is asked again later. */
async function postpone(
  { database: { sql }, clock }: SendParts['context'],
  row: DispatchRow,
): Promise<void> {
  const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(row.attempts, 10));
  await sql`
    update dispatches set next_at = ${new Date(clock.now() + wait)}, attempts = attempts + 1
    where id = ${row.id} and state = 'sent'`;
}

/** Of one that was given up meanwhile, the job is noted: it exists after all. */
async function storeMade(
  { database: { sql }, clock, observer }: SendParts['context'],
  row: DispatchRow,
  job: NonNullable<DispatchRow['reply']>,
): Promise<void> {
  const now = new Date(clock.now());
  const [updated] = await sql`
    update dispatches set job_id = ${job.jobId}, reply = ${formatStoredJson(job)}::text::jsonb,
      reason = case state when 'sent' then 'placed' else reason end,
      reason_since = case state when 'sent' then ${now}::timestamptz else reason_since end,
      ended_at = coalesce(ended_at, ${now}), state = case state when 'sent' then 'placed' else state end
    where ${isOfSameSending(row, sql)} and state in ('sent', 'cancelled')
    returning state`;
  if (updated?.state === 'placed')
    observer.dispatchPlaced((now.getTime() - row.created_at.getTime()) / SECOND_MS);
}

/** It waits again, for another runner. */
async function storeRefusal(
  { database: { sql }, clock }: SendParts['context'],
  row: DispatchRow,
  refusal: object,
): Promise<void> {
  const text = formatStoredJson(refusal);
  await sql`
    update dispatches set state = 'waiting', runner_id = null, home_id = null, sent_at = null, next_at = null,
      reason = 'no-runner', reason_since = ${new Date(clock.now())}, refusal = ${text}::text::jsonb,
      refusals = refusals || jsonb_build_array(${text}::text::jsonb)
    where ${isOfSameSending(row, sql)} and state = 'sent'`;
}
