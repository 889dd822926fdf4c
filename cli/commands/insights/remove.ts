import { SvcCommand } from '../../base/base.ts';
import { refuseInsideSession } from '../../input/confirmOrRefuse.ts';
import { insightArg } from '../../input/insightFlags.ts';
import { jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class InsightsRemoveCommand extends SvcCommand {
  static override summary = 'Remove an insight, so that later sessions do not use it.';
  static override examples = [
    '<%= config.bin %> insights remove shop-job-1790000000000 3f5a9c0d1e2b4a67',
  ];
  static override args = { job: jobArg, insight: insightArg };
  static override flags = { job: jobFlag, team: teamFlag };

  async run(): Promise<{ job: string; insight: string }> {
    const parsed = await this.parse(InsightsRemoveCommand);
    refuseInsideSession(this.io.env, 'remove an insight');
    const { job, insight } = this.objects(['job', 'insight'], parsed);
    await (await this.client(parsed.flags)).removeInsight(job, insight);
    this.print(`Insight ${toPrintableLine(insight)} of ${toPrintableLine(job)} is removed.\n`);
    return { job, insight };
  }
}
