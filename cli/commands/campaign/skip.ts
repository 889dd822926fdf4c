import type { SubRunReply, SubRunWhatIf } from '../../../src/contract/schema/job/subRun.ts';
import { SvcCommand } from '../../base/base.ts';
import { formatSubRunReply, performSubRunAction } from '../../base/performSubRunAction.ts';
import { reasonFlag, yesAtTerminalFlag } from '../../input/flags.ts';
import { childArg, childFlag, jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';

export default class CampaignSkipCommand extends SvcCommand {
  static override summary =
    'Skip a sub-run. Sub-runs that depend on it continue as if it were complete.';
  static override description =
    'Shows what will change. Asks at a terminal, unless --yes is given; a script is not asked.';
  static override examples = [
    '<%= config.bin %> campaign skip --job shop-job-1790000000000 --child web --reason "not needed"',
  ];
  static override args = { job: jobArg, child: childArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    child: childFlag,
    reason: reasonFlag,
    yes: yesAtTerminalFlag,
  };

  async run(): Promise<SubRunReply | SubRunWhatIf> {
    const parsed = await this.parse(CampaignSkipCommand);
    const { flags } = parsed;
    const { job: jobId, child } = this.objects(['job', 'child'], parsed);
    const { reason, yes } = flags;
    const client = await this.client(flags);
    const body = reason === undefined ? {} : { reason };
    const reply = await performSubRunAction({
      client,
      io: this.io,
      jobId,
      child,
      action: 'skip',
      body,
      yes,
    });
    this.print(formatSubRunReply(reply));
    return reply;
  }
}
