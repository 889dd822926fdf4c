import { setTimeout as wait } from 'node:timers/promises';
import { ClientError } from '../../src/client/problem.ts';
import { SvcError } from '../../src/lib/errors.ts';
import { isAlive } from '../../src/lib/isAlive.ts';
import type { RunnerHere } from '../base/runnerCommand.ts';

/** Between two looks, ms. */
const LOOK_MS = 50;
/** The longest grace of sessions, and what the rest of a stop takes, ms. */
const LONGEST_MS = 330_000;

/**
 * Stops a runner and waits until its process has ended. One of an older release, which cannot be
 * asked, gets SIGTERM. Throws SvcError `unreachable` where it does not end in time.
 */
export async function untilGone({
  client,
  pid,
}: Pick<RunnerHere, 'client' | 'pid'>): Promise<void> {
  try {
    await client.stopRunner();
  } catch (error) {
    if (!(error instanceof ClientError && error.status === 404)) throw error;
    process.kill(pid, 'SIGTERM');
  }
  for (let waited = 0; isAlive(pid); waited += LOOK_MS) {
    if (waited >= LONGEST_MS)
      throw new SvcError(
        'unreachable',
        `Process ${pid} has not ended. Its log says why; kill -9 ${pid} ends it, and loses no job either.`,
      );
    await wait(LOOK_MS);
  }
}
