import type { Client } from '../../src/api/client/client.ts';
import type { CreatedJob } from '../../src/contract/schema/api/bodies.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { parseDurationMs } from '../render/text/parseDurationMs.ts';
import { followAndSetExitCode } from './followAndSetExitCode.ts';
import type { Io } from '../io.ts';
import type { Outcome } from '../deriveOutcome.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';
import { unchangedText } from '../render/job/unchangedText.ts';

/** `outcome` and `job` are null unless the command waited. */
export type FollowedCreation = CreatedJob & {
  outcome: Exclude<Outcome, 'incomplete'> | null;
  job: Job | null;
};

export interface FollowSettings {
  silent: boolean;
  idOnly: boolean;
  wait: boolean;
  /** Longest wait; null = without end. */
  timeoutMs: number | null;
}

/** Throws SvcError `bad-argument` for a text that is not a duration, before anything is sent. */
export const parseFollowFlags = (flags: {
  'no-stream': boolean;
  quiet: boolean;
  wait: boolean;
  timeout: string | undefined;
}): FollowSettings => ({
  silent: flags['no-stream'] || flags.quiet,
  idOnly: flags.quiet,
  wait: flags.wait,
  timeoutMs: flags.timeout === undefined ? null : parseDurationMs(flags.timeout),
});

interface JobCreation {
  client: Client;
  create(): Promise<CreatedJob>;
  following: FollowSettings;
  io: Io;
  /** The log goes to standard error then: standard output is one JSON document. */
  asJson: boolean;
}

/** Makes and reports a job, follows it as the flags want, and sets the exit code of its end. */
export async function createAndFollowJob({
  client,
  create,
  following,
  io,
  asJson,
}: JobCreation): Promise<FollowedCreation> {
  const { silent, idOnly, wait, timeoutMs } = following;
  const since = io.now();
  const created = await create();
  for (const warning of created.warnings ?? [])
    io.err(`${io.color.yellow('warning:')} ${toPrintableLine(warning)}\n`);
  for (const term of created.unattended ?? [])
    io.err(`${io.color.bold('unattended:')} ${toPrintableLine(term)}\n`);
  if (idOnly) io.out(`${created.jobId}\n`);
  else if (!asJson)
    io.out(`job     ${created.jobId}\nstatus  ${created.status}\nstream  ${created.streamUrl}\n`);
  if (!wait && (silent || asJson)) return { ...created, outcome: null, job: null };

  const outcome = await followAndSetExitCode({
    client,
    jobId: created.jobId,
    io: silent ? { ...io, out: () => {}, err: () => {} } : io,
    asTalk: asJson,
    since,
    past: null,
    untilOutcome: wait,
    timeoutMs,
  });
  const job = await client.job(created.jobId);
  if (!silent) io.err(unchangedText(job));
  // The job itself says what failed.
  return {
    ...created,
    status: job.status,
    outcome: outcome === 'incomplete' ? 'complete' : outcome,
    job,
  };
}
