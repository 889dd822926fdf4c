import { setTimeout as wait } from 'node:timers/promises';
import { ClientError } from '../../src/api/client/problem.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { isProcessAlive } from '../../src/base/system/process/isProcessAlive.ts';
import type { RunnerHere } from '../base/runnerCommand.ts';

/** Between two looks, ms. */
const LOOK_MS = 50;
/** The longest grace of sessions, and what the rest of a stop takes, ms. */
const LONGEST_MS = 330_000;

/** Waits until a process has ended. Throws SvcError `unreachable` where it does not end in time. */
async function untilEnded(pid: number): Promise<void> {
  for (let waitedMs = 0; isProcessAlive(pid); waitedMs += LOOK_MS) {
    if (waitedMs >= LONGEST_MS)
      throw new SvcError(
        'unreachable',
        `Process ${pid} has not ended. Its log says why; kill -9 ${pid} ends it; no job is lost.`,
      );
    await wait(LOOK_MS);
  }
}

/**
 * Stops a runner that does not answer, or not yet, and waits until its process has ended. Throws
 * SvcError `unreachable` where it does not end in time.
 */
export async function untilKilled(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (isProcessAlive(pid)) throw error;
  }
  await untilEnded(pid);
}

/**
 * Stops a runner and waits until its process has ended. One of an older release, which cannot be
 * asked, gets SIGTERM. Throws SvcError `unreachable` where it does not end in time.
 */
export async function stopRunnerProcess(
  { client, pid }: Pick<RunnerHere, 'client' | 'pid'>,
  handOver = false,
): Promise<void> {
  try {
    // The home may still name the previous runner, which was killed: trust the one that answers.
    const answer = await client.stopRunner(handOver ? { handOver } : {});
    await untilEnded(answer.pid);
  } catch (error) {
    if (!(error instanceof ClientError && error.status === 404)) throw error;
    await untilKilled(pid);
  }
}
