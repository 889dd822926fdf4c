import { SvcError } from '../../../base/errors/errors.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import { Database } from '../../../kernel/sqlite/database.ts';
import { forgetLog } from '../../../kernel/sqlite/log/outgoing.ts';
import { readFileStanding } from '../../../kernel/sqlite/log/fileStanding.ts';
import { planStart } from './planStart.ts';
import { replayLog } from './replayLog.ts';

/** Changes of a stopped home that the control plane was not known to have; null = the home is local. */
export function countUnsent(stateDb: string): number | null {
  const file = readFileStanding(stateDb);
  return file === null || file.position === null ? null : file.outgoing.length;
}

/** The state of a stopped home has no log from then on: it is local. */
export function endStoppedLog(stateDb: string): void {
  const db = new Database(stateDb);
  try {
    db.transaction(() => forgetLog(db));
  } finally {
    db.close();
  }
}

/**
 * Makes a home local whose runner is stopped: what the control plane has beyond the file is replayed into it, and its
 * log is deleted there. Throws SvcError `home-claimed` where another runner has the home, and `not-possible-now` where
 * only a start can tell what counts.
 */
export async function leaveStoppedHome(
  client: HomeClient,
  stateDb: string,
  patience: Patience,
): Promise<void> {
  const file = readFileStanding(stateDb);
  const state = await client.readState(patience);
  if (state !== null) {
    const plan = planStart(file, state);
    if (plan.act === 'follow' && file?.position)
      await replayLog(
        { client, patience, onProgress: () => undefined },
        stateDb,
        file.position,
        state.head,
      );
    else if (plan.act !== 'keep' && state.state !== 'seeding')
      throw new SvcError(
        'not-possible-now',
        'The state on this machine is not that of the control plane. Start the runner, which fetches it, and log out then.',
      );
    await client.leave(patience);
  }
  if (file?.position) endStoppedLog(stateDb);
}
