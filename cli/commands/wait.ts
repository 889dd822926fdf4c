import { Flags } from '@oclif/core';
import type { Job } from '../../src/schema/job.ts';
import { SvcCommand } from '../base/base.ts';
import { lastWords } from '../connect/follow.ts';
import { untilGoal } from '../connect/untilGoal.ts';
import { checkStatus } from '../input/knownStatus.ts';
import { TIMEOUT } from '../input/flags.ts';
import { jobArg, jobFlag } from '../input/objects.ts';
import { type Outcome, exitCodeOf } from '../outcome.ts';
import { unchangedText } from '../render/unchangedText.ts';
import { durationMs } from '../render/duration.ts';

/** What --for takes besides a status. */
const GOALS = ['ended', 'parked'];

/** A job, and how the wait for it ended. */
export type Waited = Job & { outcome: Outcome | 'reached' | null };

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
    for: Flags.string({
      description: `Wait for this instead: ended, parked (for any reason), or a status such as coding.`,
      helpValue: '<state>',
    }),
    timeout: Flags.string({ ...TIMEOUT }),
  };

  async run(): Promise<Waited> {
    const parsed = await this.parse(WaitCommand);
    const { job: jobId } = this.objects(['job'], parsed);
    const { for: goal, timeout, ...flags } = parsed.flags;
    const timeoutMs = timeout === undefined ? null : durationMs(timeout);
    const client = await this.client(flags);
    if (goal !== undefined) {
      const { status, phases } = await client.job(jobId);
      const seen = phases.map(({ phase }) => phase);
      await checkStatus(client, '--for', goal, [...GOALS, status, ...seen]);
    }
    const outcome = await untilGoal({ client, jobId, io: this.io, goal: goal ?? null, timeoutMs });
    const job = await client.job(jobId);
    this.print(`${job.status}\n`);
    this.note(unchangedText(job));
    this.note(outcome === 'reached' ? '' : lastWords(outcome, jobId));
    if (outcome !== 'reached' && outcome !== null) this.io.exitWith(exitCodeOf(outcome));
    return { ...job, outcome };
  }
}
