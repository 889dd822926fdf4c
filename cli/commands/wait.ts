import { Flags } from '@oclif/core';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { SvcCommand } from '../base/base.ts';
import { describeNextStep } from '../remote/followAndSetExitCode.ts';
import { waitForGoal } from '../remote/waitForGoal.ts';
import { checkKnownStatus } from '../input/checkKnownStatus.ts';
import { TIMEOUT } from '../input/flags.ts';
import { jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { type Outcome, toExitCode } from '../deriveOutcome.ts';
import { unchangedText } from '../render/job/unchangedText.ts';
import { parseDurationMs } from '../render/text/parseDurationMs.ts';

/** What --for takes besides a status. */
const GOALS = ['ended', 'parked'];

export type WaitReply = Job & { outcome: Outcome | 'reached' | null };

export default class WaitCommand extends SvcCommand {
  static override summary = 'Wait until a job has ended or waits for a person.';
  static override description =
    'Prints the final status. Exit codes, as of svc job --wait: 0 complete, 6 failed, escalated or cancelled, 7 waits for a person (an answer, a review, a merge), 8 timed out, 9 complete with failed sub-runs. To wait for the merge and the end: --for ended. With --for, exits with 0 as soon as that is reached.';
  static override examples = [
    '<%= config.bin %> wait shop-job-1790000000000 --timeout 30m',
    '<%= config.bin %> wait shop-job-1790000000000 --for parked',
    '<%= config.bin %> wait --job shop-job-1790000000000 --for awaiting-pr-merge',
  ];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    for: Flags.string({
      description: `Wait for this instead: ended, parked (for any reason), or a status such as coding.`,
      helpValue: '<state>',
    }),
    timeout: Flags.string({ ...TIMEOUT }),
  };

  async run(): Promise<WaitReply> {
    const parsed = await this.parse(WaitCommand);
    const { job: jobId } = this.objects(['job'], parsed);
    const { for: goal, timeout, ...flags } = parsed.flags;
    const timeoutMs = timeout === undefined ? null : parseDurationMs(timeout);
    const client = await this.client(flags);
    if (goal !== undefined) {
      const { status, phases } = await client.job(jobId);
      const phaseNames = phases.map(({ phase }) => phase);
      await checkKnownStatus(client, '--for', goal, [...GOALS, status, ...phaseNames]);
    }
    const outcome = await waitForGoal({
      client,
      jobId,
      io: this.io,
      goal: goal ?? null,
      timeoutMs,
    });
    const job = await client.job(jobId);
    this.print(`${job.status}\n`);
    this.note(unchangedText(job));
    this.note(outcome === 'reached' ? '' : describeNextStep(outcome, jobId));
    if (outcome !== 'reached' && outcome !== null) this.io.exitWith(toExitCode(outcome));
    return { ...job, outcome };
  }
}
