import type { Client } from '../../src/api/client/client.ts';
import { followJob, readEventMessages } from '../../src/api/client/stream.ts';
import { isJobUnreadable } from '../../src/base/jobs/isJobUnreadable.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Io } from '../io.ts';
import { type Outcome, deriveOutcome, type JobStanding } from '../deriveOutcome.ts';
import { isStateFrame } from '../render/job/formatFrame.ts';

interface GoalWait {
  client: Pick<Client, 'stream' | 'job'>;
  jobId: string;
  io: Pick<Io, 'after' | 'onInterrupt' | 'err'>;
  /** `ended`, `parked` or a status; null = ended or waiting for a person. */
  goal: string | null;
  /** Longest wait; null = without end. */
  timeoutMs: number | null;
}

/** What a state means for the wait; null = it continues. */
function decideWaitEnd(now: JobStanding, goal: string | null): Outcome | 'reached' | null {
  if (goal === 'parked' && now.parked !== null) return 'reached';
  if (goal !== null && (now.status === goal || now.status.startsWith(`${goal}:`))) return 'reached';
  return goal === null || now.ended ? deriveOutcome(now) : null;
}

/** Number of the job's newest frame; 0 = none. */
export async function findNewestFrame(
  { client, jobId }: Pick<GoalWait, 'client' | 'jobId'>,
  signal: AbortSignal,
): Promise<number> {
  const response = await client.stream(jobId, { tail: 1, follow: 'false' }, { signal });
  let newest = 0;
  for await (const { event, id } of readEventMessages(response, signal))
    if (event !== 'bye') newest = Number(id ?? newest);
  return newest;
}

/**
 * Waits until the job is in the wanted state, its end, the time or Ctrl-C. States that it was in
 * before the call do not count. Throws as `followJob` does.
 */
export async function waitForGoal(wait: GoalWait): Promise<Outcome | 'reached' | null> {
  const { client, jobId, io, goal, timeoutMs } = wait;
  const stop = new AbortController();
  let result: Outcome | 'reached' | null = null;
  const finish = (as: Outcome | 'reached') => {
    result ??= as;
    stop.abort();
  };
  const releasers = [
    io.onInterrupt(() => finish('detached')),
    timeoutMs === null ? () => {} : io.after(timeoutMs, () => finish('timeout')),
  ];
  try {
    // Asked first, so that the frames that follow hold everything that happens later.
    const after = await findNewestFrame(wait, stop.signal);
    const job = await client.job(jobId);
    if (isJobUnreadable(job.broken))
      throw new SvcError('broken-row', job.reason ?? `Job ${jobId} cannot be read.`);
    const { subRunFailures } = job;
    const now = { ...job, ...(subRunFailures ? { incomplete: subRunFailures.text } : {}) };
    const already = decideWaitEnd(now, goal);
    if (already !== null) return already;
    await followJob({
      client,
      jobId,
      after,
      signal: stop.signal,
      onFrame({ kind, data }) {
        const end = kind === 'state' && isStateFrame(data) ? decideWaitEnd(data, goal) : null;
        if (end !== null) finish(end);
      },
      onLost: () => io.err('Connection lost; reconnecting. Ctrl-C detaches.\n'),
    });
  } catch (error) {
    if (result === null) throw error;
  } finally {
    for (const release of releasers) release();
  }
  return result;
}
