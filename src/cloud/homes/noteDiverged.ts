import type { DivergedBody } from '../../contract/schema/cloud/home.ts';
import type { CallingRunner } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { createNoHomeError } from './homeErrors.ts';
import { lockHome } from './homeRows.ts';
import { writeAhead } from './noteAhead.ts';

/** A runner has found at its start that its state and the log have another history. Throws SvcError `not-found`. */
export async function noteDiverged(
  { database, log }: Pick<CloudContext, 'database' | 'log'>,
  { runnerId }: CallingRunner,
  { n }: DivergedBody,
): Promise<void> {
  await database.transaction(async (sql) => {
    if ((await lockHome(sql, runnerId)) === null) throw createNoHomeError();
    await writeAhead(sql, runnerId, { n });
  });
  log.error(
    { runner: runnerId, n },
    'the state of a runner does not fit the log of its home: was the database restored? A person decides with svc cloud reseed on that machine',
  );
}
