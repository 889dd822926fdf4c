import type { WhyReply } from '../../src/contract/schema/api/replies.ts';
import { SvcCommand } from '../base/base.ts';
import { jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { formatWhy } from '../render/job/formatWhy.ts';

export default class WhyCommand extends SvcCommand {
  static override summary =
    'Explain the state of a job: what it is waiting for, who can move it, and what blocks it.';
  static override examples = ['<%= config.bin %> why --job shop-job-1790000000000'];
  static override args = { job: jobArg };
  static override flags = { job: jobFlag, team: teamFlag };

  async run(): Promise<WhyReply> {
    const parsed = await this.parse(WhyCommand);
    const { job } = this.objects(['job'], parsed);
    const client = await this.client(parsed.flags);
    const why = await client.why(job);
    if (!this.jsonEnabled())
      this.print(formatWhy(why, this.io, await client.job(job).catch(() => null)));
    return why;
  }
}
