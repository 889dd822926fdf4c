import { Flags } from '@oclif/core';
import { SvcCommand } from '../base/base.ts';
import { jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { describeNextStep } from '../remote/followAndSetExitCode.ts';
import { tailJob } from '../remote/tailJob.ts';

export default class LogsCommand extends SvcCommand {
  static override summary =
    'Show the log of a job and follow it. Ctrl-C detaches; the job continues.';
  static override description =
    'Lines of the runner start with *, lines of the agent with |; restarts of the runner are marked. Colours are shown on a terminal only. Exits when the job has ended, or with --no-follow after the past lines. With --json, every frame is one line of JSON: { n, kind, data }.';
  static override examples = [
    '<%= config.bin %> logs --job shop-job-1790000000000',
    '<%= config.bin %> logs --job shop-job-1790000000000 --tail 20',
    '<%= config.bin %> logs shop-job-1790000000000 --no-follow > job.log',
  ];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    tail: Flags.integer({
      char: 'n',
      description:
        'Number of past lines to show, the newest ones; 0 shows only new lines. Default: all.',
      min: 0,
      helpValue: '<n>',
    }),
    follow: Flags.boolean({
      char: 'f',
      description: 'Wait for new lines; --no-follow prints the existing lines and exits.',
      default: true,
      allowNo: true,
    }),
  };

  async run(): Promise<void> {
    const parsed = await this.parse(LogsCommand);
    const { flags } = parsed;
    const { job } = this.objects(['job'], parsed);
    const client = await this.client(flags);
    const outcome = await tailJob({
      client,
      jobId: job,
      io: this.io,
      show: this.io.out,
      json: this.jsonEnabled(),
      since: this.io.now(),
      past: flags.tail ?? null,
      untilOutcome: false,
      timeoutMs: null,
      follow: flags.follow,
    });
    if (outcome !== 'detached') return;
    this.io.err(describeNextStep(outcome, job));
    this.io.exitWith(130);
  }
}
