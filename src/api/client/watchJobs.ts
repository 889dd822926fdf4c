import type { JobSummary } from '../../contract/schema/job/job.ts';
import type { Client } from './client.ts';
import {
  FIRST_WAIT_MS,
  isWorthRetry,
  LAST_WAIT_MS,
  readEventMessages,
  waitAbortable,
} from './stream.ts';

export interface WatchOptions {
  client: Pick<Client, 'jobsStream'>;
  signal: AbortSignal;
  /**
   * The stream is open: changes from now on will arrive, so a list that is read now misses none.
   */
  onOpen(): void;
  onJob(job: JobSummary): void;
  /** Called when a connection is lost or cannot be opened, before the wait for the next one. */
  onLost(loss: { error: unknown; waitMs: number }): void;
  /** Waits; resolves early when the signal is aborted. Default: a timer. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Watches the list of jobs until the signal is aborted, also across restarts of the runner. Changes
 * without a connection are not sent again: `onOpen` is the time to read the list.
 *
 * @throws ClientError of refusals such as 401, which asking again would not change
 */
export async function watchJobs({
  client,
  signal,
  onOpen,
  onJob,
  onLost,
  wait = waitAbortable,
}: WatchOptions): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    let error: unknown = null;
    try {
      const response = await client.jobsStream({}, { signal });
      waitMs = FIRST_WAIT_MS;
      onOpen();
      for await (const { event, data } of readEventMessages(response, signal)) {
        if (event === 'job') onJob(JSON.parse(data));
        else if (event === 'bye' || event === 'gap') break;
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (!isWorthRetry(thrown)) throw thrown;
      error = thrown;
    }
    if (signal.aborted) return;
    onLost({ error, waitMs });
    await wait(waitMs, signal);
    waitMs = Math.min(waitMs * 2, LAST_WAIT_MS);
  }
}
