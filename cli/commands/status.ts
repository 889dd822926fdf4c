import type { Job } from '../../src/contract/schema/job/job.ts';
import { SvcCommand } from '../base/base.ts';
import { jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { formatJob } from '../render/job/formatJob.ts';

export default class StatusCommand extends SvcCommand {
  static override summary =
    'Show a job: its state, what it is waiting for, its work items, pull requests and artefacts.';
  static override examples = ['<%= config.bin %> status --job shop-job-1790000000000'];
  static override args = { job: jobArg };
  static override flags = { job: jobFlag, team: teamFlag };

  async run(): Promise<Job> {
    const parsed = await this.parse(StatusCommand);
    const { job: jobId } = this.objects(['job'], parsed);
    const job = await (await this.client(parsed.flags)).job(jobId);
    this.print(formatJob(job, this.io));
    return job;
  }
}
