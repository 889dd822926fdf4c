import { SvcError } from '../../base/errors/errors.ts';
import type { ReleaseBody } from '../../contract/schema/cloud/home.ts';
import type { CallingRunner } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { createNoHomeError } from './homeErrors.ts';
import { lockHome } from './homeRows.ts';

/**
 * Gives a home up. The next generation belongs to no one, so that nothing more of this one is written; a process that
 * continued the home of another runner loses its token with it.
 */
export async function releaseHome(
  { database }: Pick<CloudContext, 'database'>,
  { runnerId, tokenHash, adoption }: CallingRunner,
  { generation, n, hash }: ReleaseBody,
): Promise<void> {
  await database.confirm(() =>
    database.transaction(async (sql) => {
      await sql`select from runners where id = ${runnerId} for update`;
      const home = await lockHome(sql, runnerId);
      if (home === null) throw createNoHomeError();
      const isRepeat =
        home.state === 'released' && home.generation === generation + 1 && home.head === n;
      if (isRepeat) return;
      if (home.generation !== generation || home.head !== n || home.hash !== hash)
        throw new SvcError(
          'home-claimed',
          'The home was claimed or written in between: its newest entry is another one.',
          { data: { generation: home.generation, head: home.head, hash: home.hash, holder: null } },
        );
      await sql`
        update homes set state = case when state = 'seeding' then 'seeding' else 'released' end,
          generation = generation + 1, claimed_by = null, asked_generation = null
        where runner_id = ${runnerId}`;
      if (adoption !== null) await sql`delete from adoptions where token_hash = ${tokenHash}`;
    }),
  );
}
