import type { Client } from '../../../src/api/client/client.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { tailJob } from '../../remote/tailJob.ts';
import type { Io } from '../../io.ts';
import { deriveOutcome, type Outcome } from '../../deriveOutcome.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { ClientError } from '../../../src/api/client/problem.ts';

const AGENT =
  'Name an agent program with --agent and its model with --model, and give its key in the environment (ANTHROPIC_API_KEY); or give a configuration with --config.';
const REPOSITORY =
  'Give the folder of a repository, such as --repo ., or a slug and the token of its forge in the environment (GITHUB_TOKEN, GITLAB_TOKEN or BITBUCKET_TOKEN).';

/**
 * What the runner says of a job that cannot run, with advice for a run: the commands that it names
 * would change a home that is removed. Any other error is unchanged.
 */
function adviseRun(error: unknown): unknown {
  if (!(error instanceof ClientError) || error.code !== 'cannot-run') return error;
  const { detail, phases, errors = [] } = error.problem;
  if (!('command' in error.problem)) return error;
  const lines = detail.split('\n');
  const end = lines.findIndex((line) => line.startsWith('Run this'));
  const outputLines = end < 0 ? lines : lines.slice(0, end);
  if (Array.isArray(phases) && phases.length > 0) outputLines.push(AGENT);
  if (errors.length > 0) outputLines.push(REPOSITORY);
  return new SvcError('cannot-run', outputLines.join('\n'), { errors });
}

export interface RunJobRequest {
  type: string;
  workflowPath: string;
  params: Record<string, unknown>;
}

export interface RunView {
  client: Client;
  io: Io;
  show(text: string): void;
  stop: AbortSignal;
  /** Longest wait, ms; null = without end. */
  timeoutMs: number | null;
}

export interface FollowedJob {
  outcome: Outcome;
  job: Job;
}

/** Throws SvcError `bad-argument` for a job that would wait for an approval. */
export async function checkApprovals(client: Client, runJobRequest: RunJobRequest): Promise<void> {
  const { approvals } = await client.estimateJob(runJobRequest).catch((error: unknown) => {
    throw adviseRun(error);
  });
  if (approvals.length === 0) return;
  const flags = approvals.map((phase) => `--approve ${toPrintableLine(phase)}`).join(' ');
  throw new SvcError(
    'bad-argument',
    `${runJobRequest.workflowPath} waits for an approval at the end of ${approvals.map(toPrintableLine).join(', ')}, and this run is unattended. Nothing was started. Approve in advance: ${flags}, or --approve all.`,
  );
}

export async function makeJob(
  client: Client,
  runJobRequest: RunJobRequest,
  io: Io,
): Promise<string> {
  const { jobId, warnings = [], unattended = [] } = await client.createJob(runJobRequest);
  for (const warning of warnings) io.err(`warning: ${toPrintableLine(warning)}\n`);
  for (const term of unattended) io.err(`unattended: ${toPrintableLine(term)}\n`);
  return jobId;
}

/** Shows the log after frame `after` until the job ends or waits, or the time is over or `stop`. */
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
  const outcome = await tailJob({
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
  return { outcome: outcome ?? deriveOutcome(job) ?? 'failed', job };
}
