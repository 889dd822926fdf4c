import { SvcError } from '../../../base/errors/errors.ts';
import { mayDo } from '../../people/mayDo.ts';
import type { CallTeam, Person } from '../../server/cloudCall.ts';
import type { CloudContext, StoreContext } from '../../server/cloudContext.ts';
import { type DispatchRow, findDispatch } from './dispatchRow.ts';

interface EndRequest {
  team: CallTeam;
  person: Person;
  dispatchId: string;
}

/** Throws SvcError `not-found`. */
export async function readDispatch(
  { database }: Pick<CloudContext, 'database'>,
  teamId: string,
  dispatchId: string,
): Promise<DispatchRow> {
  const row = await findDispatch(database.sql, teamId, dispatchId);
  if (row === undefined) throw new SvcError('not-found', `The team has no dispatch ${dispatchId}.`);
  return row;
}

/** Cancels a dispatch that waits. Throws SvcError `forbidden`, or `not-possible-now` where it was sent or is over. */
export async function cancelDispatch(
  context: StoreContext,
  { team, person, dispatchId }: EndRequest,
): Promise<void> {
  const { state, created_by } = await readDispatch(context, team.id, dispatchId);
  if (!mayDo(team.role, 'dispatch.cancel', created_by === person.userId))
    throw new SvcError('forbidden', 'Only its author or an admin can cancel this dispatch.');
  const now = new Date(context.clock.now());
  const { count } = await context.database.sql`
    update dispatches set state = 'cancelled', reason = 'cancelled', reason_since = ${now}, ended_at = ${now}
    where id = ${dispatchId} and state = 'waiting'`;
  if (count === 1 || state === 'cancelled') return;
  const latest = await readDispatch(context, team.id, dispatchId);
  throw new SvcError(
    'not-possible-now',
    latest.state === 'sent'
      ? 'The dispatch was sent to a runner, and the job may exist. Wait for the answer of the runner; an admin can give the dispatch up.'
      : `The dispatch is ${latest.state}.`,
    { data: { state: latest.state } },
  );
}

/** Gives up a dispatch that was sent. Throws SvcError `not-possible-now` where it is not in this state. */
export async function giveUpDispatch(
  context: StoreContext,
  { team, dispatchId }: EndRequest,
): Promise<void> {
  const { state } = await readDispatch(context, team.id, dispatchId);
  const now = new Date(context.clock.now());
  const { count } = await context.database.sql`
    update dispatches set state = 'cancelled', reason = 'given-up', reason_since = ${now}, ended_at = ${now}
    where id = ${dispatchId} and state = 'sent'`;
  if (count === 0)
    throw new SvcError(
      'not-possible-now',
      `Only a dispatch that was sent to a runner can be given up; this one is ${state}.`,
      { data: { state } },
    );
}
