import type { Client } from '../../src/api/client/client.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { SvcCommand } from '../base/base.ts';
import { jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { describeStatePlace } from '../render/runner/formatRunnerStatus.ts';
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
    const client = await this.client(parsed.flags);
    const job = await client.job(jobId);
    this.print(formatJob(job, this.io));
    if (parsed.flags.team === undefined) await this.#printCloudWait(client);
    return job;
  }

  async #printCloudWait(client: Pick<Client, 'health'>): Promise<void> {
    const { cloud } = await client.health();
    if (cloud?.state.place !== 'waiting') return;
    const text = describeStatePlace(cloud.state);
    this.print(
      `\n${text.charAt(0).toUpperCase()}${text.slice(1)}. What is shown here may be ahead of it.\n`,
    );
  }
}
