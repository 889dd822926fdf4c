import { SvcError } from '../../base/errors/errors.ts';
import type { CreateHomeBody, ReseedBody } from '../../contract/schema/cloud/home.ts';
import type { CallingRunner } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { createNoHomeError } from './homeErrors.ts';
import { findHome, lockHome } from './homeRows.ts';

type LogContext = Pick<CloudContext, 'database' | 'clock' | 'log'>;

/** Above an empty store, a checkpoint has to follow. */
const toState = (n: number): 'open' | 'seeding' => (n === 0 ? 'open' : 'seeding');

/** Begins the log of a home without one. A repeated request gets the same answer. */
export async function createHome(
  { database, clock }: LogContext,
  { runnerId, teamId }: CallingRunner,
  { n, hash, generation, storeVersion, homeId }: CreateHomeBody,
  takeoverMs: number,
): Promise<void> {
  await database.confirm(async () => {
    const { count } = await database.sql`
      insert into homes (runner_id, team_id, home_id, generation, head, hash, state, takeover_ms, store_version,
        entries_after, after_hash, created_at)
      select id, ${teamId}, home_id, ${generation}::bigint, ${n}::bigint, ${hash}, ${toState(n)}, ${takeoverMs}::int,
        ${storeVersion}::int, ${n}::bigint, ${hash}, ${new Date(clock.now())}
      from runners where id = ${runnerId} and home_id = ${homeId}
      on conflict do nothing`;
    if (count === 1) return;
    const homeRow = await findHome(database.sql, runnerId);
    const isSame =
      homeRow?.homeId === homeId &&
      homeRow.head === n &&
      homeRow.hash === hash &&
      homeRow.generation === generation;
    if (!isSame)
      throw new SvcError(
        'conflict',
        homeRow === null
          ? 'This token is of another home. Pair this one with svc login.'
          : 'The control plane has a log of this home already.',
      );
  });
}

/** Begins the log of a home again, from the store of its runner. Its old entries are deleted. */
export async function reseedHome(
  { database, log }: LogContext,
  { runnerId }: CallingRunner,
  { n, hash, generation, storeVersion, reason }: ReseedBody,
): Promise<void> {
  log.warn({ runner: runnerId, reason }, 'the log of a home begins again');
  await database.confirm(() =>
    database.transaction(async (sql) => {
      const home = await lockHome(sql, runnerId);
      if (home === null) throw createNoHomeError();
      await sql`insert into old_logs values (${home.logId}) on conflict do nothing`;
      await sql`
        update homes set log_id = nextval('home_logs'), generation = greatest(generation, ${generation}),
          claimed_by = null, head = ${n}, hash = ${hash}, state = ${toState(n)}, store_version = ${storeVersion},
          entries_after = ${n}, after_hash = ${hash}, checkpoint_n = null, committed_at = null, listed_n = null,
          unlisted_at = null, ahead = null, asked_generation = null
        where runner_id = ${runnerId}`;
    }),
  );
}

/** The home is on its machine alone from now on. */
export async function leaveHome(
  { database }: LogContext,
  { runnerId }: CallingRunner,
): Promise<void> {
  await database.confirm(() =>
    database.transaction(async (sql) => {
      const { count } = await sql`delete from homes where runner_id = ${runnerId}`;
      if (count === 0) throw createNoHomeError();
      await sql`delete from blobs where runner_id = ${runnerId}`;
      await sql`delete from adoptions where runner_id = ${runnerId}`;
    }),
  );
}
