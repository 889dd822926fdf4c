import { SvcCommand } from '../../base/base.ts';
import { checkPerson } from '../../input/asPerson.ts';
import { insightArg } from '../../input/insightFlags.ts';
import { jobArg, jobFlag } from '../../input/objects.ts';
import { printableLine } from '../../render/printable.ts';

export default class InsightsRemoveCommand extends SvcCommand {
  static override summary = 'Remove an insight, so that later sessions do not use it.';
  static override examples = [
    '<%= config.bin %> insights remove shop-job-1790000000000 3f5a9c0d1e2b4a67',
  ];
  static override args = { job: jobArg, insight: insightArg };
  static override flags = { job: jobFlag };

  async run(): Promise<{ job: string; insight: string }> {
    const parsed = await this.parse(InsightsRemoveCommand);
    checkPerson(this.io.env, 'remove an insight');
    const { job, insight } = this.objects(['job', 'insight'], parsed);
    await (await this.client(parsed.flags)).removeInsight(job, insight);
    this.print(`Insight ${printableLine(insight)} of ${printableLine(job)} is removed.\n`);
    return { job, insight };
  }
}
