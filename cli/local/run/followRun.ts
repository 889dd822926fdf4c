import type { Client } from '../../../src/api/client/client.ts';
import { SvcError } from '../../../src/shared/errors/errors.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { tailJob } from '../../remote/tailJob.ts';
import { adviseRun } from './adviseRun.ts';
import type { Io } from '../../io.ts';
import { type Outcome, deriveOutcome } from '../../deriveOutcome.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

/** A job of a run, as it is asked for. */
export interface RunJobRequest {
  type: string;
  workflowPath: string;
  params: Record<string, unknown>;
}

/** How the log of a run is shown. */
export interface RunView {
  client: Client;
  io: Io;
  /** Takes lines of the log. */
  show(text: string): void;
  /** Aborted where the run is to stop. */
  stop: AbortSignal;
  /** Longest wait, ms; null = without end. */
  timeoutMs: number | null;
}

/** How the job of a run is at its end. */
export interface FollowedJob {
  outcome: Outcome;
  job: Job;
}

/**
 * Refuses a job that would wait for an approval. Throws SvcError `bad-argument`, and what the making
 * of the job would.
 */
export async function checkApprovals(client: Client, asked: RunJobRequest): Promise<void> {
  const { approvals } = await client.estimateJob(asked).catch((error: unknown) => {
    throw adviseRun(error);
  });
  if (approvals.length === 0) return;
  const flags = approvals.map((phase) => `--approve ${toPrintableLine(phase)}`).join(' ');
  throw new SvcError(
    'bad-argument',
    `${asked.workflowPath} waits for an approval at the end of ${approvals.map(toPrintableLine).join(', ')}, and this run is unattended. Nothing was started. Approve in advance: ${flags}, or --approve all.`,
  );
}

/** Makes the job and says which. */
export async function makeJob(client: Client, asked: RunJobRequest, io: Io): Promise<string> {
  const { jobId, warnings = [], unattended = [] } = await client.createJob(asked);
  for (const warning of warnings) io.err(`warning: ${toPrintableLine(warning)}\n`);
  for (const term of unattended) io.err(`unattended: ${toPrintableLine(term)}\n`);
  return jobId;
}

/**
 * Shows the log after frame `after` until the job has ended, waits for a person or an event, the time
 * is over, or the run is to stop.
 */
export async function followRun(
  { client, io, show, stop, timeoutMs }: RunView,
  jobId: string,
  after: number,
): Promise<FollowedJob> {
  if (stop.aborted) return { outcome: 'detached', job: await client.job(jobId) };
  const onInterrupt = (run: () => void) => {
    stop.addEventListener('abort', run, { once: true });
    return () => stop.removeEventListener('abort', run);
  };
  const found = await tailJob({
    client,
    jobId,
    io: { ...io, onInterrupt },
    show,
    json: false,
    since: 0,
    past: null,
    untilOutcome: true,
    timeoutMs,
    after,
  });
  const job = await client.job(jobId);
  return { outcome: found ?? deriveOutcome(job) ?? 'failed', job };
}
