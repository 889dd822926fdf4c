import type { Client } from '../../src/api/client/client.ts';
import type { CommandReply } from '../../src/contract/schema/api/bodies.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { SvcCommand } from '../base/base.ts';
import { refuseInsideSession, confirmOrRefuse } from '../input/confirmOrRefuse.ts';
import { reasonFlag, yesAtTerminalFlag } from '../input/flags.ts';
import { jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';
import { formatCommandReply } from '../render/job/formatCommandReply.ts';
import { formatJobStatus } from '../render/job/formatJobStatus.ts';

export default class CancelCommand extends SvcCommand {
  static override summary =
    'Cancel a job, including one that failed or escalated. A running session is ended first.';
  static override description =
    'A cancelled job cannot be resumed, so this asks at a terminal, unless --yes is given; a script is not asked. Exits with 1 if you decline.';
  static override examples = [
    '<%= config.bin %> cancel shop-job-1790000000000 --reason "not needed any more"',
    '<%= config.bin %> cancel --job shop-job-1790000000000 --yes',
  ];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    reason: reasonFlag,
    yes: yesAtTerminalFlag,
  };

  async run(): Promise<CommandReply | Job> {
    const parsed = await this.parse(CancelCommand);
    const { flags } = parsed;
    const { job } = this.objects(['job'], parsed);
    refuseInsideSession(this.io.env, 'cancel jobs');
    const client = await this.client(flags);
    const isAsked = !flags.yes && this.io.ask !== null;
    const declinedJob = isAsked ? await this.#confirmOrReadJob(client, job) : null;
    if (declinedJob !== null) {
      this.io.err('Nothing was done.\n');
      this.io.exitWith(1);
      return declinedJob;
    }
    const reply = await client.cancel(
      job,
      flags.reason === undefined ? {} : { reason: flags.reason },
    );
    this.print(formatCommandReply(reply));
    return reply;
  }

  /** Shows the job and asks. Returns null for yes, else the unchanged job. */
  async #confirmOrReadJob(client: Client, id: string): Promise<Job | null> {
    const job = await client.job(id);
    this.io.err(`${toPrintableLine(`${job.id}  ${formatJobStatus(job)}  ${job.description}`)}\n`);
    return (await confirmOrRefuse(this.io, false, 'Cancel this job for good?')) ? null : job;
  }
}
