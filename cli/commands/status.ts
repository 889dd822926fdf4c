import type { Job } from '../../src/schema/job.ts';
import { SvcCommand } from '../base/base.ts';
import { jobFlag } from '../input/flags.ts';
import { jobText } from '../render/jobText.ts';

export default class StatusCommand extends SvcCommand {
  static override summary =
    'Show a job: its state, what it waits for, its work items, pull requests and artefacts.';
  static override examples = ['<%= config.bin %> status --job shop-job-1790000000000'];
  static override flags = { job: jobFlag };

  async run(): Promise<Job> {
    const { flags } = await this.parse(StatusCommand);
    const job = await (await this.client(flags)).job(flags.job);
    this.print(jobText(job, this.io));
    return job;
  }
}
