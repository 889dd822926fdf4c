import type { SubRunReply, SubRunWhatIf } from '../../../src/contract/schema/job/subRun.ts';
import { SvcCommand } from '../../base/base.ts';
import { formatSubRunReply, performSubRunAction } from '../../base/performSubRunAction.ts';
import { reasonFlag, yesAtTerminalFlag } from '../../input/flags.ts';
import { childArg, childFlag, jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';

export default class CampaignUnskipCommand extends SvcCommand {
  static override summary = 'Undo a skip. The sub-run returns to its previous state.';
  static override description =
    'Possible until all sub-runs have ended or one that depends on it has started, and only if the skip did not stop a job; otherwise rerun it. Shows what will change. Asks at a terminal, unless --yes is given; a script is not asked.';
  static override examples = [
    '<%= config.bin %> campaign unskip --job shop-job-1790000000000 --child web',
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
    const parsed = await this.parse(CampaignUnskipCommand);
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
      action: 'unskip',
      body,
      yes,
    });
    this.print(formatSubRunReply(reply));
    return reply;
  }
}
